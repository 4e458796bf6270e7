import { Repository } from '../../../../persistence/repositories/repository.js';

/** Hits since the last flush. */
export interface RedirectHit {
  readonly environmentId: string;
  readonly id: string;
  readonly count: number;
  readonly at: Date;
}

/** Hit counters of all tenants; requires platform work. */
export class RedirectHitRepository extends Repository {
  /** One statement; deleted redirects are ignored. */
  async add(hits: readonly RedirectHit[]): Promise<void> {
    await this.query('SELECT count_redirect_hits($1::jsonb) IS NULL AS counted', [JSON.stringify(hits)]);
  }
}
