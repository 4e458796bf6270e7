import { Repository } from '../../persistence/repositories/repository.js';

/**
 * For changes of the names and forms of stored values, which change no content. While it runs, published documents have
 * only their own values, without those of fallbacks, so that no value is changed twice or in one form only (rule
 * localization/field-fallback).
 */
export class RewritingRepository extends Repository {
  /** From here on, what is written changes no content: translations and comparisons of environments do not note it. */
  async begin(): Promise<void> {
    await this.query("SELECT set_config('headwater.rewriting_fields', 'on', true)");
  }

  /** What follows changes content. */
  async end(): Promise<void> {
    await this.query("SELECT set_config('headwater.rewriting_fields', '', true)");
  }

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
