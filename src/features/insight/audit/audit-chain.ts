import {
  systemScope,
  type UnitOfWorkFactory,
  type UnitOfWork,
} from '../../../persistence/work/unit-of-work.js';
import {
  AuditSealRepository,
  AuditChainRepository,
  type ChainLink,
  type CheckedBlock,
} from './audit-chain.repository.js';
import { limits } from '../../../../contracts/limits.js';
import type { audit } from '../../../../contracts/insight/audit/audit.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { AuditCheck, AuditProblem } from '../../../../contracts/insight/audit/audit-event.js';

interface AuditSealerParts {
  readonly units: UnitOfWorkFactory;
  newId(): string;
  /** Writing transactions end within milliseconds. */
  pause(milliseconds: number): Promise<unknown>;
}

/** Waits for writers this many times, then leaves the records to the next round. */
const ATTEMPTS = 40;
const PAUSE_MILLISECONDS = 25;

/** Seals audit records into chains of blocks (rule events/audit), outside the transactions that write them. */
export class AuditSealer {
  constructor(private readonly parts: AuditSealerParts) {}

  /** Seals every record written before the call; returns how many. Returns early if another worker is sealing. */
  async seal(): Promise<number> {
    const mark = await this.#run((seals) => seals.mark());
    if (mark === undefined) return 0;
    for (let attempt = 1; !(await this.#run((seals) => seals.isComplete(mark))); attempt += 1) {
      if (attempt === ATTEMPTS) return 0;
      await this.parts.pause(PAUSE_MILLISECONDS);
    }
    let total = 0;
    for (let reach = '0'; reach !== mark.number;) {
      const pass = await this.#run((seals) => seals.seal(reach, mark.number));
      if (pass === undefined) break;
      total += pass.records;
      reach = pass.reach;
    }
    return total;
  }

  /** Deletes records past retention; returns how many. */
  async prune(days: number): Promise<number> {
    for (let total = 0; ;) {
      const pruned = await this.#run((seals) => seals.prune(days));
      total += pruned;
      if (pruned === 0) return total;
    }
  }

  #run<T>(work: (seals: AuditSealRepository) => Promise<T>): Promise<T> {
    const request = {
      scope: systemScope({ requestId: this.parts.newId() }),
      isReadOnly: false,
      lock: 'none',
    } as const;
    return this.parts.units.run(request, (unit) => work(unit.use(AuditSealRepository)));
  }
}

function problemOf(block: CheckedBlock, before: ChainLink): AuditProblem | null {
  if (block.number !== before.number + 1) return 'block_missing';
  if (block.afterNumber !== before.toNumber || block.previousHash !== before.hash) return 'block_changed';
  if (block.found !== block.records) return 'records_changed';
  return block.computedHash === block.hash ? null : 'records_changed';
}

interface Progress {
  last: ChainLink;
  blocks: number;
  records: number;
  broken: { block: number; problem: AuditProblem } | null;
  isAtEnd: boolean;
}

/** Stops at a broken block, at the end of the chain, or at the limit of one call. */
async function walk(chain: AuditChainRepository, chainId: string, start: ChainLink): Promise<Progress> {
  const state: Progress = { last: start, blocks: 0, records: 0, broken: null, isAtEnd: false };
  while (state.records < limits.auditRecordsPerCheck) {
    const blocks = await chain.blocksAfter(chainId, state.last.number);
    if (blocks.length === 0) return { ...state, isAtEnd: true };
    for (const block of blocks) {
      const problem = problemOf(block, state.last);
      state.blocks += 1;
      state.records += block.found;
      if (problem !== null) return { ...state, broken: { block: state.last.number + 1, problem } };
      state.last = block;
    }
  }
  return state;
}

export async function verifyChain(
  work: UnitOfWork,
  chainId: string,
  fromBlock?: number,
): Promise<AuditCheck> {
  const chain = work.use(AuditChainRepository);
  const start = await chain.predecessorOf(chainId, fromBlock);
  const { last, blocks, records, isAtEnd, broken: found } = await walk(chain, chainId, start);
  let broken = found;
  if (fromBlock === undefined && start.toNumber > 0 && (await chain.hasRecordsUpTo(chainId, start.toNumber)))
    broken = { block: start.number + 1, problem: 'record_unsealed' };
  const behind = isAtEnd ? await chain.recordsAfter(chainId, last.toNumber) : { unsealed: 0, missed: 0 };
  if (behind.missed > 0) broken ??= { block: last.number + 1, problem: 'record_unsealed' };
  return {
    chainId,
    ok: broken === null,
    blocks,
    records,
    unsealed: behind.unsealed,
    firstBrokenBlock: broken?.block ?? null,
    problem: broken?.problem ?? null,
    headHash: last.number === 0 ? null : last.hash,
    nextBlock: isAtEnd || broken !== null ? null : last.number + 1,
  };
}

export async function verifyAuditEvents(
  work: UnitOfWork,
  { fromBlock }: InputOf<typeof audit.verify>,
): Promise<{ data: AuditCheck }> {
  return { data: await verifyChain(work, work.scope.projectId ?? '', fromBlock) };
}
