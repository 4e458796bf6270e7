import { Repository } from '../../persistence/repositories/repository.js';

/** Arbitrary but fixed: of several workers one seals at a time. */
const SEAL_LOCK = 7_420_019;
/** Numbers of one pass, and so records of one block at most. A range of numbers is found by its index at any size. */
const NUMBERS_PER_PASS = 2000;

/** One block for each chain that has records behind $1 and up to $2. */
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

/** How far records are complete once the transactions that were writing some then have ended. */
export interface SealMark {
  readonly number: string;
  /** Virtual ids of the transactions. */
  readonly writers: readonly string[];
}

/** Transactions that write audit records hold this lock from before they take a number until they end. */
const WRITERS = `SELECT virtualtransaction AS id FROM pg_locks WHERE locktype = 'relation' AND mode = 'RowExclusiveLock'
  AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND relation = 'audit_events'::regclass`;

/** Seals audit records into blocks; needs platform work. */
export class AuditSealRepository extends Repository {
  /** The last number taken so far, and who may still bring a record up to it; undefined where all are sealed. */
  async mark(): Promise<SealMark | undefined> {
    const [taken] = await this.query<{ number: string }>(
      'SELECT last_value::text AS number FROM audit_number WHERE is_called AND last_value > audit_sealed_to()',
    );
    if (taken === undefined) return undefined;
    // Asked after the number was read: whoever took one up to it either has ended by now or is seen here.
    const writers = await this.query<{ id: string }>(WRITERS);
    return { number: taken.number, writers: writers.map(({ id }) => id) };
  }

  /** Whether no record up to the mark can still appear. */
  async isComplete({ writers }: SealMark): Promise<boolean> {
    if (writers.length === 0) return true;
    const left = await this.query(`${WRITERS} AND virtualtransaction = ANY ($1) LIMIT 1`, [writers]);
    return left.length === 0;
  }

  /**
   * Seals the records of the next stretch of numbers, all of which are there, one block for each chain.
   * @param after nothing up to it is left to seal, as an earlier call has found
   * @returns how many records were sealed and up to which number; undefined while another worker seals
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

  /** Takes away what retention no longer keeps, a limited number of blocks at a time; answers how many records. */
  async prune(): Promise<number> {
    const [row] = await this.query<{ pruned: number }>('SELECT prune_audit()::float8 AS pruned');
    return row?.pruned ?? 0;
  }
}
