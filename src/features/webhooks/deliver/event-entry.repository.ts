import type { Catalog } from '../../../content/catalog.js';
import { deliverFields } from '../../../content/deliver-fields.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { presentDocument, type StoredDocument } from '../../delivery/index.js';

/** One locale of an entry after an event. */
export interface EntryState {
  readonly eventId: string;
  readonly entryId: string;
  readonly locale: string;
  readonly version: number;
  /** Whether the published document or the draft is meant. */
  readonly isPublished: boolean;
}

interface Row extends StoredDocument {
  readonly eventId: string;
  readonly sharedFields: Readonly<Record<string, unknown>> | null;
}

const requestedStates = `jsonb_to_recordset($2::jsonb)
  AS q ("eventId" uuid, "entryId" uuid, locale text, version integer, "isPublished" boolean)`;

export class EventEntryRepository extends Repository {
  /** In delivery shape; omits entries that have changed since their event. */
  async entries(states: readonly EntryState[], catalog: Catalog): Promise<Map<string, object>> {
    if (states.length === 0) return new Map();
    const rows = await this.query<Row>(
      `SELECT q."eventId", p.entry_id AS id, p.content_type_id AS "contentTypeId", p.site_id AS "siteId", p.slug, p.locale,
         p.fields, NULL::jsonb AS "sharedFields", p.published_at AS "publishedAt", p.published_at AS "updatedAt",
         p.created_at AS "createdAt"
       FROM ${requestedStates} JOIN published_entries p ON p.environment_id = $1 AND p.entry_id = q."entryId"
         AND p.locale = q.locale AND p.version = q.version
       WHERE q."isPublished"
       UNION ALL
       SELECT q."eventId", l.entry_id, l.content_type_id, l.site_id, l.slug, l.locale, l.fields, e.shared_fields,
         l.published_at, l.updated_at, e.created_at
       FROM ${requestedStates} JOIN entries e ON e.environment_id = $1 AND e.id = q."entryId" AND e.version = q.version
         JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = e.id AND l.locale = q.locale AND NOT l.is_deleted
       WHERE NOT q."isPublished"`,
      [this.environmentId, JSON.stringify(states)],
    );
    return new Map(
      rows.map(({ eventId, sharedFields, fields, ...document }) => {
        const type = catalog.contentTypeById(document.contentTypeId);
        const resolved =
          sharedFields === null ? fields : deliverFields(type?.fields ?? [], { ...sharedFields, ...fields });
        return [eventId, presentDocument({ ...document, fields: resolved }, catalog)];
      }),
    );
  }

  /** Stored paths by event. */
  async paths(
    places: readonly Pick<EntryState, 'eventId' | 'entryId' | 'locale'>[],
  ): Promise<Map<string, string>> {
    if (places.length === 0) return new Map();
    const rows = await this.query<{ eventId: string; path: string }>(
      `SELECT q."eventId", r.path FROM ${requestedStates}
         JOIN routes r ON r.environment_id = $1 AND r.entry_id = q."entryId" AND r.locale = q.locale AND r.is_own`,
      [this.environmentId, JSON.stringify(places)],
    );
    return new Map(rows.map(({ eventId, path }) => [eventId, path]));
  }
}
