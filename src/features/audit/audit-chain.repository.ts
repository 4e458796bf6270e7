import { Repository } from '../../persistence/repositories/repository.js';

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
