import { Repository } from '../../persistence/repositories/repository.js';

/** Where a chain stands behind a block: what the next block must go on from. */
export interface ChainLink {
  readonly number: number;
  readonly toNumber: number;
  readonly hash: string;
}

/** A block as it is stored, and as its records say that it should be. */
export interface CheckedBlock extends ChainLink {
  readonly afterNumber: number;
  readonly records: number;
  readonly previousHash: string;
  /** Records that stand in its stretch now, and the hash that follows from them. */
  readonly found: number;
  readonly computedHash: string;
}

const GENESIS = '0'.repeat(64);
/** What of a chain one statement checks. */
const RECORDS_PER_STATEMENT = 20_000;
const BLOCKS_PER_STATEMENT = 500;

const link = 'number::float8 AS number, to_number::float8 AS "toNumber", encode(hash, \'hex\') AS hash';

/** Chains of sealed audit records, to check them. Numbers stay far below 2^53. */
export class AuditChainRepository extends Repository {
  /** Ids of all chains; needs platform work. */
  async chainIds(): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      'SELECT chain_id AS id FROM audit_blocks UNION SELECT chain_id FROM audit_prunings ORDER BY id',
    );
    return rows.map(({ id }) => id);
  }

  /** What the block must go on from: the one before it, or the last that retention took away, or the beginning. */
  async linkBefore(chainId: string, block: number | undefined): Promise<ChainLink> {
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

  /** The blocks behind a number with what their records hash to, as many as one statement may take. */
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

  /** Records behind a chain's last block: those that are still to be sealed, and those that were passed over. */
  async recordsBehind(chainId: string, toNumber: number): Promise<{ unsealed: number; passedOver: number }> {
    const [row] = await this.query<{ unsealed: number; passedOver: number }>(
      `SELECT count(*) FILTER (WHERE number > sealed_to)::int AS unsealed,
         count(*) FILTER (WHERE number <= sealed_to)::int AS "passedOver"
       FROM audit_events, (SELECT audit_sealed_to() AS sealed_to) s WHERE chain_id = $1 AND number > $2`,
      [chainId, toNumber],
    );
    return row ?? { unsealed: 0, passedOver: 0 };
  }

  /** Whether a record stands before the first block, where retention left none. */
  async hasRecordsUpTo(chainId: string, toNumber: number): Promise<boolean> {
    const sql = 'SELECT 1 AS found FROM audit_events WHERE chain_id = $1 AND number <= $2 LIMIT 1';
    return (await this.query(sql, [chainId, toNumber])).length > 0;
  }
}
