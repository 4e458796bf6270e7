import { Repository } from '../../persistence/repositories/repository.js';

/**
 * For changes of names and forms of stored values: meanwhile published documents show what they say themselves, so that
 * nothing is changed twice or in one form only (rule localization/field-fallback).
 */
export class RewritingRepository extends Repository {
  /** @param entryIds entries whose documents are rewritten; null for those of the environment */
  async run<T>(rewrite: () => Promise<T>, entryIds: readonly string[] | null = null): Promise<T> {
    const [begun] = await this.query<{ isOutermost: boolean }>(
      'SELECT clear_fallbacks($1, $2::uuid[]) AS "isOutermost"',
      [this.environmentId, entryIds],
    );
    const result = await rewrite();
    if (begun?.isOutermost === true)
      await (entryIds === null
        ? this.query('SELECT fill_type_fallbacks($1, NULL, NULL)', [this.environmentId])
        : this.query('SELECT fill_fallbacks($1, $2::uuid[])', [this.environmentId, entryIds]));
    return result;
  }
}
