import { Repository } from '../../../persistence/repositories/repository.js';
import { keyHomeSql } from './subject-home.js';

/** A key with addresses that are new to it. */
export interface NewAddresses {
  readonly id: string;
  readonly name: string;
  /** The latest first, at most 20. */
  readonly addresses: readonly { address: string; since: string; lastAt: string; calls: number }[];
  readonly count: number;
  readonly latestAt: Date;
}

interface AddressQuery {
  /** Keys with an address that is new since then. */
  readonly after: Date;
  readonly until: Date;
  /** Addresses that are new since then. */
  readonly oldest: Date;
  readonly limit: number;
}

/** Calls of a key before an address can be new to it. */
const KNOWN_CALLS = 20;

/** Addresses of keys that belong to the environment. */
export class KeyAddressScanRepository extends Repository {
  async newAddresses({ after, until, oldest, limit }: AddressQuery): Promise<NewAddresses[]> {
    return this.query<NewAddresses>(
      `WITH ranked AS (
         SELECT a.*, row_number() OVER (PARTITION BY a.api_key_id ORDER BY a.since DESC, a.address) AS place,
           count(*) OVER (PARTITION BY a.api_key_id) AS addresses, max(a.since) OVER (PARTITION BY a.api_key_id) AS latest
         FROM api_key_addresses a WHERE a.project_id = $2 AND a.since > $4 AND a.since <= $5 AND a.prior_calls >= ${String(KNOWN_CALLS)})
       SELECT k.id, k.name, max(r.addresses)::int AS count, max(r.latest) AS "latestAt",
         jsonb_agg(jsonb_build_object('address', r.address, 'since', r.since, 'lastAt', r.last_at, 'calls', r.calls) ORDER BY r.place)
           AS addresses
       FROM ranked r JOIN api_keys k ON k.tenant_id = $1 AND k.project_id = $2 AND k.id = r.api_key_id AND ${keyHomeSql}
       WHERE r.place <= 20 AND r.latest > $6 GROUP BY k.id, k.name ORDER BY max(r.latest) DESC, k.id LIMIT $7`,
      [this.tenantId, this.projectId, this.environmentId, oldest, until, after, limit],
    );
  }
}
