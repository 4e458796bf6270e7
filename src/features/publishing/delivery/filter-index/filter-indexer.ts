import type { Catalog } from '../../../../content/catalog.js';
import { placeOf, filterEntryOf } from './filter-terms.js';
import {
  CatalogRepository,
  emptyBatch,
  isFull,
  workOnEnvironments,
  type Batch,
} from '../../../environments/catalog/index.js';
import {
  addressOf,
  systemScope,
  type AddressRow,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../../../persistence/work/unit-of-work.js';
import {
  FilterIndexRepository,
  NOTES,
  type NotedType,
  type PublishedValues,
} from './filter-index.repository.js';

/** Places of the fields of types by name. */
export function placesIn(catalog: Catalog, environmentId: string) {
  const known = new Map<string, ReadonlyMap<string, number>>();
  return (contentTypeId: string): ReadonlyMap<string, number> => {
    const fields = catalog.contentTypeById(contentTypeId)?.fields ?? [];
    const places =
      known.get(contentTypeId) ??
      new Map(
        fields.map(({ apiName }) => [apiName, placeOf({ environmentId, contentTypeId, apiName })] as const),
      );
    known.set(contentTypeId, places);
    return places;
  };
}

/** Documents of one transaction. */
const BATCH = 200;

const platform = { scope: systemScope(), isReadOnly: false, lock: 'none' } as const;

/**
 * Indexes published values for filters. Writers note what they change by triggers, and readers look at the documents
 * noted, so that the index is never late. Any number of processes may run it: one at a time works on an environment.
 */
export class FilterIndexer {
  #isStopping = false;

  constructor(private readonly units: UnitOfWorkFactory) {}

  stop(): void {
    this.#isStopping = true;
  }

  /** Indexes what was noted, except in environments where another process does; returns how many documents. */
  run(): Promise<number> {
    const { units } = this;
    return workOnEnvironments(units, {
      environments: () =>
        units.run({ ...platform, isReadOnly: true }, (work) =>
          work.use(FilterIndexRepository).environments(),
        ),
      batch: (head) => this.#batch(head),
      forget: (work, id) => work.use(FilterIndexRepository).forget(id),
      isStopping: () => this.#isStopping,
    });
  }

  #batch(head: AddressRow): Promise<Batch> {
    const scope = systemScope({ address: addressOf(head) });
    return this.units.run({ scope, isReadOnly: false, lock: 'none', plans: 'keys' }, async (work) => {
      const index = work.use(FilterIndexRepository);
      if (!(await index.take())) return emptyBatch;
      const noted = await index.noted(BATCH);
      if (noted.length > 0) {
        await index.remove(noted);
        await write(work, await index.valuesOf(noted));
        await index.finish(noted.flatMap(({ ids }) => ids));
        // A type is indexed when no single document waits.
        const isMore =
          isFull(noted, { subjects: BATCH, notes: NOTES }) || (await index.notedType()) !== undefined;
        return { done: noted.length, isMore };
      }
      const type = await index.notedType();
      return type === undefined ? emptyBatch : indexType(work, type);
    });
  }
}

/** Indexes the next documents of a type. Its note counts as done, too. */
async function indexType(work: UnitOfWork, type: NotedType): Promise<Batch> {
  const index = work.use(FilterIndexRepository);
  if (type.afterEntryId === null) await index.start(type);
  const published = await index.valuesAfter(type, BATCH);
  await index.remove(published);
  await write(work, published);
  const last = published.at(-1);
  await (last !== undefined && published.length === BATCH ? index.advance(type, last) : index.settle(type));
  return { done: published.length + 1, isMore: true };
}

async function write(work: UnitOfWork, published: readonly PublishedValues[]): Promise<void> {
  if (published.length === 0) return;
  const catalog = await work.use(CatalogRepository).current();
  const environmentId = work.scope.environmentId ?? '';
  const places = placesIn(catalog, environmentId);
  const indexed = published.map(({ fields, ...document }) => ({
    ...document,
    ...filterEntryOf(fields, places(document.contentTypeId)),
  }));
  await work.use(FilterIndexRepository).write(indexed);
}
