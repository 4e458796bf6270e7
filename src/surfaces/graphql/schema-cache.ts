import { LRUCache } from 'lru-cache';
import type { Catalog } from '../../content/catalog.js';
import { PlanCache } from './plan/plan-cache.js';
import type { PreparedDocument } from './prepared-operation.js';
import { buildProjectSchema, type ProjectSchema } from './project/build-project-schema.js';

/** Each takes about two kilobytes with its filter, a type as much as eight. */
const MAXIMUM_FIELDS = 50_000;
const FIELDS_PER_TYPE = 8;
/** A prepared document takes about a hundred times its text. */
const MAXIMUM_QUERY_CHARACTERS = 500_000;

const MAXIMUM_PERSISTED_CHARACTERS = 4_000_000;

export interface CachedSchema extends ProjectSchema {
  readonly documents: {
    get(query: string): PreparedDocument | undefined;
    set(query: string, document: PreparedDocument): void;
  };
  readonly plans: PlanCache;
  /** By SHA-256, per environment. */
  readonly texts: {
    get(hash: string): string | undefined;
    set(hash: string, query: string): void;
  };
}

const sizeOf = ({ data: { contentTypes, customFieldTypes } }: Catalog): number =>
  (contentTypes.length + customFieldTypes.length + 1) * FIELDS_PER_TYPE +
  contentTypes.reduce((fields, type) => fields + type.fields.length, 0);

/**
 * Caches schemas by environment and catalog revision. Persisted queries survive a new revision and are checked
 * again.
 */
export class SchemaCache {
  readonly #schemas = new LRUCache<string, CachedSchema>({ maxSize: MAXIMUM_FIELDS });
  readonly #documents = new LRUCache<string, PreparedDocument>({
    maxSize: MAXIMUM_QUERY_CHARACTERS,
    sizeCalculation: (_document, key) => key.length,
  });
  readonly #plans = new PlanCache();
  readonly #texts = new LRUCache<string, string>({
    maxSize: MAXIMUM_PERSISTED_CHARACTERS,
    sizeCalculation: (query, key) => query.length + key.length,
  });

  of(catalog: Catalog): CachedSchema {
    const key = `${catalog.data.environment.id} ${catalog.data.revision}`;
    const known = this.#schemas.get(key);
    if (known !== undefined) return known;
    const documents: CachedSchema['documents'] = {
      get: (query) => this.#documents.get(`${key} ${query}`),
      set: (query, document) => {
        this.#documents.set(`${key} ${query}`, document);
      },
    };
    const environmentId = catalog.data.environment.id;
    const texts: CachedSchema['texts'] = {
      get: (hash) => this.#texts.get(`${environmentId} ${hash}`),
      set: (hash, query) => {
        this.#texts.set(`${environmentId} ${hash}`, query);
      },
    };
    const schema = { ...buildProjectSchema(catalog), documents, plans: this.#plans, texts };
    this.#schemas.set(key, schema, { size: sizeOf(catalog) });
    return schema;
  }
}
