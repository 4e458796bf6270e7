import { Repository } from '../../../persistence/repositories/repository.js';

/** The end of a block, which the next block continues. */
export interface ChainLink {
  readonly number: number;
  readonly toNumber: number;
  readonly hash: string;
}

/** A stored block with what its records yield now. */
export interface CheckedBlock extends ChainLink {
  readonly afterNumber: number;
  readonly records: number;
  readonly previousHash: string;
  /** Number of records in the block's range now. */
  readonly found: number;
  readonly computedHash: string;
}

const GENESIS = '0'.repeat(64);
/** Bounds the work of one statement. */
const RECORDS_PER_STATEMENT = 20_000;
const BLOCKS_PER_STATEMENT = 500;

const link = 'number::float8 AS number, to_number::float8 AS "toNumber", encode(hash, \'hex\') AS hash';

/** Reads chains of sealed audit records for verification. Numbers stay far below 2^53. */
export class AuditChainRepository extends Repository {
  /** Needs a platform scope. */
  async chainIds(): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      'SELECT chain_id AS id FROM audit_blocks UNION SELECT chain_id FROM audit_prunings ORDER BY id',
    );
    return rows.map(({ id }) => id);
  }

  /** The predecessor of a block: the block before it, else the last pruned one, else the genesis link. */
  async predecessorOf(chainId: string, block: number | undefined): Promise<ChainLink> {
    const [pruned] = await this.query<ChainLink>(
      `SELECT ${link} FROM audit_prunings WHERE chain_id = $1 ORDER BY audit_prunings.number DESC LIMIT 1`,
      [chainId],
    );
    const start = pruned ?? { number: 0, toNumber: 0, hash: GENESIS };
    if (block === undefined || block <= start.number + 1) return start;
    const [before] = await this.query<ChainLink>(
      `SELECT ${link} FROM audit_blocks WHERE chain_id = $1 AND audit_blocks.number = $2`,
      [chainId, block - 1],
    );
    return before ?? start;
  }

  /** The blocks after a number with the hashes of their records, as many as one statement may check. */
  async blocksAfter(chainId: string, number: number): Promise<CheckedBlock[]> {
    return this.query<CheckedBlock>(
      `WITH ahead AS (
         SELECT block, sum((block).records) OVER (ORDER BY (block).number) - (block).records AS before
         FROM (SELECT b AS block FROM audit_blocks b WHERE b.chain_id = $1 AND b.number > $2
               ORDER BY b.number LIMIT ${String(BLOCKS_PER_STATEMENT)}) page)
       SELECT (block).number::float8 AS number, (block).after_number::float8 AS "afterNumber",
         (block).to_number::float8 AS "toNumber", (block).records, encode((block).previous_hash, 'hex') AS "previousHash",
         encode((block).hash, 'hex') AS hash, r.found, encode(audit_block_hash(block, r.digests), 'hex') AS "computedHash"
       FROM ahead, LATERAL (
         SELECT count(*)::int AS found, coalesce(string_agg(audit_digest(e), ''::bytea ORDER BY e.number), '') AS digests
         FROM audit_events e WHERE e.chain_id = $1 AND e.number > (block).after_number AND e.number <= (block).to_number) r
       WHERE before < ${String(RECORDS_PER_STATEMENT)} ORDER BY (block).number`,
      [chainId, number],
    );
  }

  /** Records after the last block: those not sealed yet, and those the sealer missed. */
  async recordsAfter(chainId: string, toNumber: number): Promise<{ unsealed: number; missed: number }> {
    const [row] = await this.query<{ unsealed: number; missed: number }>(
      `SELECT count(*) FILTER (WHERE number > sealed_to)::int AS unsealed,
         count(*) FILTER (WHERE number <= sealed_to)::int AS "missed"
       FROM audit_events, (SELECT audit_sealed_to() AS sealed_to) s WHERE chain_id = $1 AND number > $2`,
      [chainId, toNumber],
    );
    return row ?? { unsealed: 0, missed: 0 };
  }

  /** Whether pruned records still exist. */
  async hasRecordsUpTo(chainId: string, toNumber: number): Promise<boolean> {
    const sql = 'SELECT 1 AS found FROM audit_events WHERE chain_id = $1 AND number <= $2 LIMIT 1';
    return (await this.query(sql, [chainId, toNumber])).length > 0;
  }
}

/** Arbitrary but fixed: only one worker seals at a time. */
const SEAL_LOCK = 7_420_019;
/** Upper bound of records per block. A range of numbers is one index scan at any size. */
const NUMBERS_PER_PASS = 2000;

/** One block for each chain with records after $1 and up to $2. */
const SEAL = `WITH stretches AS (
    SELECT chain_id, tenant_id, count(*)::int AS records, string_agg(audit_digest(e), ''::bytea ORDER BY number) AS digests
    FROM audit_events e WHERE number > $1::bigint AND number <= $2::bigint GROUP BY 1, 2),
  blocks AS (
    SELECT s.chain_id, coalesce(last.number, 0) + 1 AS number, s.tenant_id,
      coalesce(last.to_number, 0) AS after_number, $2::bigint AS to_number, s.records,
      coalesce(last.hash, decode(repeat('00', 32), 'hex')) AS previous_hash, s.digests
    FROM stretches s LEFT JOIN LATERAL (
      SELECT number, to_number, hash FROM (
        (SELECT number, to_number, hash FROM audit_blocks WHERE chain_id = s.chain_id ORDER BY number DESC LIMIT 1)
        UNION ALL
        (SELECT number, to_number, hash FROM audit_prunings WHERE chain_id = s.chain_id ORDER BY number DESC LIMIT 1)
      ) ends ORDER BY number DESC LIMIT 1) last ON true),
  written AS (
    INSERT INTO audit_blocks (chain_id, number, tenant_id, after_number, to_number, records, previous_hash, hash)
    SELECT chain_id, number, tenant_id, after_number, to_number, records, previous_hash,
      audit_block_hash(ROW(chain_id, number, tenant_id, after_number, to_number, records, previous_hash,
        NULL, NULL)::audit_blocks, digests)
    FROM blocks RETURNING records)
  SELECT coalesce(sum(records), 0)::int AS records FROM written`;

/** Records up to the number are complete once these transactions have ended. */
interface SealMark {
  readonly number: string;
  /** Virtual transaction ids. */
  readonly writers: readonly string[];
}

/** Writers of audit records hold this lock from before they take a number until they end. */
const WRITERS = `SELECT virtualtransaction AS id FROM pg_locks WHERE locktype = 'relation' AND mode = 'RowExclusiveLock'
  AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND relation = 'audit_events'::regclass`;

/** Seals audit records into blocks. Needs a platform scope. */
export class AuditSealRepository extends Repository {
  /** The last number taken and the transactions that may still write below it; undefined if all records are sealed. */
  async mark(): Promise<SealMark | undefined> {
    const [taken] = await this.query<{ number: string }>(
      'SELECT last_value::text AS number FROM audit_number WHERE is_called AND last_value > audit_sealed_to()',
    );
    if (taken === undefined) return undefined;
    // Read after the number, so that no writer below it is missed.
    const writers = await this.query<{ id: string }>(WRITERS);
    return { number: taken.number, writers: writers.map(({ id }) => id) };
  }

  /** Whether no further record can appear below the mark. */
  async isComplete({ writers }: SealMark): Promise<boolean> {
    if (writers.length === 0) return true;
    const left = await this.query(`${WRITERS} AND virtualtransaction = ANY ($1) LIMIT 1`, [writers]);
    return left.length === 0;
  }

  /**
   * Seals the next range of numbers, which must be complete, one block per chain.
   * @param after numbers up to here are sealed
   * @returns undefined while another worker seals
   */
  async seal(after: string, upTo: string): Promise<{ records: number; reach: string } | undefined> {
    const [lock] = await this.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
      SEAL_LOCK,
    ]);
    if (lock?.taken !== true) return undefined;
    const [stretch] = await this.query<{ start: string; reach: string }>(
      `SELECT start::text, least($2::bigint, start + ${String(NUMBERS_PER_PASS)})::text AS reach
       FROM greatest(audit_sealed_to(), $1::bigint) AS start`,
      [after, upTo],
    );
    const { start, reach } = stretch ?? { start: upTo, reach: upTo };
    const [sealed] = await this.query<{ records: number }>(SEAL, [start, reach]);
    return { records: sealed?.records ?? 0, reach };
  }

  /** Deletes expired records, a limited number of blocks at a time; returns how many records. */
  async prune(days: number): Promise<number> {
    const [row] = await this.query<{ pruned: number }>('SELECT prune_audit($1)::float8 AS pruned', [days]);
    return row?.pruned ?? 0;
  }
}
