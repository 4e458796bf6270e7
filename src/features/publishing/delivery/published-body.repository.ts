import type { Catalog } from '../../../content/catalog.js';
import type { FieldValues } from '../../../content/model/field-definition.js';
import { Turns } from '../../../infrastructure/lazy.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { publishedBody } from '../../shared/published-body.js';
import {
  addressOf,
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository, EnvironmentListRepository } from '../../environments/catalog/index.js';

interface BodyRow {
  readonly entryId: string;
  readonly locale: string;
  readonly contentTypeId: string;
  readonly fields: FieldValues;
  readonly body: string | null;
}

/** Documents can have a megabyte each. */
const BATCH = 50;

const columns = 'entry_id AS "entryId", locale, content_type_id AS "contentTypeId", fields, body';

/** Writes the text of published documents. */
export class PublishedBodyRepository extends Repository {
  /** Ids of environments with documents without text. Only for platform work. */
  async environments(): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT h.environment_id AS id FROM environment_heads h WHERE EXISTS (
         SELECT FROM published_entries p WHERE p.environment_id = h.environment_id AND p.body IS NULL)`,
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Writes a batch of missing texts: of documents that are older than it, or whose values were rewritten.
   * @returns whether there may be more
   */
  async fill(catalog: Catalog): Promise<boolean> {
    const rows = await this.query<BodyRow>(
      `SELECT ${columns} FROM published_entries WHERE environment_id = $1 AND body IS NULL
       ORDER BY entry_id, locale LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [this.environmentId, BATCH],
    );
    await this.#write(rows, catalog);
    return rows.length === BATCH;
  }

  /** Writes every text that is missing or differs from its document. */
  async repair(catalog: Catalog): Promise<void> {
    await this.allowTime(600);
    let last: Pick<BodyRow, 'entryId' | 'locale'> = {
      entryId: '00000000-0000-0000-0000-000000000000',
      locale: '',
    };
    for (let rows = await this.#after(last); rows.length > 0; rows = await this.#after(last)) {
      await this.#write(rows, catalog);
      last = rows.at(-1) ?? last;
    }
  }

  #after({ entryId, locale }: Pick<BodyRow, 'entryId' | 'locale'>): Promise<BodyRow[]> {
    return this.query<BodyRow>(
      `SELECT ${columns} FROM published_entries WHERE environment_id = $1 AND (entry_id, locale) > ($2::uuid, $3)
       ORDER BY entry_id, locale LIMIT $4`,
      [this.environmentId, entryId, locale, BATCH],
    );
  }

  async #write(rows: readonly BodyRow[], catalog: Catalog): Promise<void> {
    const different: (BodyRow & { readonly text: string })[] = [];
    const turns = new Turns();
    for (const row of rows) {
      const text = publishedBody(ordered(row, catalog));
      if (text !== row.body) different.push({ ...row, text });
      await turns.pause();
    }
    if (different.length === 0) return;
    await this.query(
      `UPDATE published_entries p SET body = g.body FROM unnest($2::uuid[], $3::text[], $4::text[]) AS g (entry_id, locale, body)
       WHERE p.environment_id = $1 AND p.entry_id = g.entry_id AND p.locale = g.locale`,
      [
        this.environmentId,
        different.map(({ entryId }) => entryId),
        different.map(({ locale }) => locale),
        different.map(({ text }) => text),
      ],
    );
  }
}

/** In the order of the type's fields, which is read fastest. */
function ordered({ contentTypeId, fields }: BodyRow, catalog: Catalog): FieldValues {
  const names = catalog.contentTypeById(contentTypeId)?.fields.map(({ apiName }) => apiName) ?? [];
  const own = names
    .filter((name) => Object.hasOwn(fields, name))
    .map((name) => [name, fields[name]] as const);
  return { ...Object.fromEntries(own), ...fields };
}

interface BodyWork {
  readonly units: UnitOfWorkFactory;
  onError(error: unknown): void;
}

/** Of one environment and run, so that none waits long for another. */
const BATCHES = 100;

const platform = { scope: systemScope(), isReadOnly: true, lock: 'none' } as const;

const writeSome = async (work: UnitOfWork): Promise<boolean> =>
  work.use(PublishedBodyRepository).fill(await work.use(CatalogRepository).current());

/** Writes missing texts of published documents, each batch in a transaction. */
export async function writeBodies({ units, onError }: BodyWork): Promise<void> {
  const ids = await units.run(platform, (work) => work.use(PublishedBodyRepository).environments());
  if (ids.length === 0) return;
  const heads = await units.run(platform, (work) => work.use(EnvironmentListRepository).all());
  for (const head of heads.filter(({ environmentId }) => ids.includes(environmentId))) {
    const scope = systemScope({ address: addressOf(head) });
    const request = { scope, isReadOnly: false, lock: 'none', plans: 'keys' } as const;
    try {
      for (let batch = 0; batch < BATCHES && (await units.run(request, writeSome)); batch += 1);
    } catch (error) {
      onError(error);
    }
  }
}
