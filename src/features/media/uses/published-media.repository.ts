import { Repository } from '../../../persistence/repositories/repository.js';

/** A published locale and the assets that its fields name. */
export interface PublishedMedia {
  readonly entryId: string;
  readonly locale: string;
  readonly named: readonly { readonly fieldId: string; readonly assetId: string }[];
}

const replace = {
  name: 'replace_published_media',
  text: `WITH given AS (SELECT * FROM unnest($2::uuid[], $3::text[]) AS g (entry_id, locale)),
    named AS (SELECT * FROM jsonb_to_recordset($4::jsonb) AS n ("entryId" uuid, locale text, "fieldId" uuid, "assetId" uuid)),
    gone AS (
      DELETE FROM published_media p USING given g WHERE p.environment_id = $1 AND p.entry_id = g.entry_id AND p.locale = g.locale
        AND NOT EXISTS (SELECT FROM named n WHERE n."entryId" = p.entry_id AND n.locale = p.locale
          AND n."fieldId" = p.field_id AND n."assetId" = p.asset_id))
    INSERT INTO published_media (environment_id, entry_id, locale, field_id, asset_id)
    SELECT DISTINCT $1::uuid, "entryId", locale, "fieldId", "assetId" FROM named ORDER BY 5 ON CONFLICT DO NOTHING`,
};

/** The assets that published documents show. Unpublishing removes them along with the documents. */
export class PublishedMediaRepository extends Repository {
  /** Does not wait for the write. */
  replace(documents: readonly PublishedMedia[]): void {
    if (documents.length === 0) return;
    const named = documents.flatMap(({ entryId, locale, named: assets }) =>
      assets.map((asset) => ({ entryId, locale, ...asset })),
    );
    const written = this.query(replace, [
      this.environmentId,
      documents.map(({ entryId }) => entryId),
      documents.map(({ locale }) => locale),
      JSON.stringify(named),
    ]);
    this.defer(written);
  }
}
