import { Repository } from '../../../persistence/repositories/repository.js';

/** How often a redirect was followed since the last count, and when last. */
export interface RedirectHit {
  readonly environmentId: string;
  readonly id: string;
  readonly count: number;
  readonly at: Date;
}

/** Counts of redirects of all tenants; needs platform work. */
export class RedirectHitRepository extends Repository {
  /** Adds to the counts in one statement. Redirects that are gone meanwhile are left out. */
  async add(hits: readonly RedirectHit[]): Promise<void> {
    await this.query('SELECT count_redirect_hits($1::jsonb) IS NULL AS counted', [JSON.stringify(hits)]);
  }
}
