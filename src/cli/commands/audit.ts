import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../../process/config/config.js';
import type { AuditCheck } from '../../../contracts/insight/audit/audit-event.js';
import { AuditChainRepository, verifyChain } from '../../features/insight/audit/index.js';
import { createLogger } from '../../infrastructure/logger.js';
import { systemScope, type UnitOfWork, type UnitOfWorkFactory } from '../../persistence/work/unit-of-work.js';
import { openRuntime } from '../../process/run/runtime.js';
import { runCommand, UsageError } from '../command-line.js';

const help = `
Usage: npm run audit -- --verify

Verifies every chain of audit records, and exits with 1 where a record was changed, removed or inserted.
`;

function reader(units: UnitOfWorkFactory): <T>(work: (unit: UnitOfWork) => Promise<T>) => Promise<T> {
  const request = { scope: systemScope({ command: 'audit' }), isReadOnly: true, lock: 'none' } as const;
  return (work) => units.run(request, work);
}

async function checkChain(units: UnitOfWorkFactory, chainId: string): Promise<AuditCheck> {
  const read = reader(units);
  let check = await read((work) => verifyChain(work, chainId));
  while (check.nextBlock !== null) {
    const from = check.nextBlock;
    const next = await read((work) => verifyChain(work, chainId, from));
    check = { ...next, blocks: check.blocks + next.blocks, records: check.records + next.records };
  }
  return check;
}

function lineOf(check: AuditCheck): string {
  const verdict = check.ok
    ? 'ok'
    : `BROKEN at block ${String(check.firstBrokenBlock)} (${check.problem ?? ''})`;
  const counts = `${check.blocks} blocks, ${check.records} records, ${check.unsealed} unsealed`;
  return `${check.chainId}  ${verdict}  ${counts}  head ${check.headHash ?? '-'}`;
}

/** Exits with 1 when a chain is broken. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { verify: { type: 'boolean' } } });
  if (values.verify !== true) throw new UsageError('Nothing to do without --verify.');
  const config = readConfig(process.env);
  const runtime = await openRuntime({ config, logger: createLogger('warn'), whenInUse: 'share' });
  try {
    const { units } = runtime.composition.services;
    const ids = await reader(units)((work) => work.use(AuditChainRepository).chainIds());
    let broken = 0;
    for (const id of ids) {
      const check = await checkChain(units, id);
      if (!check.ok) broken += 1;
      console.log(lineOf(check));
    }
    console.log(`${ids.length} chains, ${broken} broken.`);
    if (broken > 0) process.exitCode = 1;
  } finally {
    await runtime.close();
  }
}

runCommand(help, main);
