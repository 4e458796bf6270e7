import { LRUCache } from 'lru-cache';
import type { Catalog } from '../../../content/catalog.js';
import type { PreparedDocument } from '../prepared-document.js';
import { buildProjectSchema, type ProjectSchema } from './build-project-schema.js';

const MAXIMUM_SCHEMAS = 50;
/** Characters of all queries kept; a prepared document takes about a hundred times its text. */
const MAXIMUM_QUERY_CHARACTERS = 500_000;

/** A schema with the documents known to fit it, by query text. */
export interface CachedSchema extends ProjectSchema {
  readonly documents: {
    get(query: string): PreparedDocument | undefined;
    set(query: string, document: PreparedDocument): void;
  };
}

/**
 * Schemas by environment and revision of its catalog: a change of the content model makes a new one. The
 * documents of all schemas share one bound.
 */
export class SchemaCache {
  readonly #schemas = new LRUCache<string, CachedSchema>({ max: MAXIMUM_SCHEMAS });
  readonly #documents = new LRUCache<string, PreparedDocument>({
    maxSize: MAXIMUM_QUERY_CHARACTERS,
    sizeCalculation: (_document, key) => key.length,
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
    const schema = { ...buildProjectSchema(catalog), documents };
    this.#schemas.set(key, schema);
    return schema;
  }
}
