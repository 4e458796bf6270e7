import { LRUCache } from 'lru-cache';
import type { Catalog } from '../../../content/catalog.js';
import type { PreparedDocument } from '../prepared-document.js';
import { buildProjectSchema, type ProjectSchema } from './build-project-schema.js';

const MAXIMUM_SCHEMAS = 50;
/** Characters of all queries kept for one schema; a parsed document takes some hundred times its text. */
const MAXIMUM_QUERY_CHARACTERS = 100_000;

/** A schema with the documents known to fit it, by query text. */
export interface CachedSchema extends ProjectSchema {
  readonly documents: LRUCache<string, PreparedDocument>;
}

/** Schemas by environment and revision of its catalog: a change of the content model makes a new one. */
export class SchemaCache {
  readonly #schemas = new LRUCache<string, CachedSchema>({ max: MAXIMUM_SCHEMAS });

  of(catalog: Catalog): CachedSchema {
    const key = `${catalog.data.environment.id} ${catalog.data.revision}`;
    const known = this.#schemas.get(key);
    if (known !== undefined) return known;
    const documents = new LRUCache<string, PreparedDocument>({
      maxSize: MAXIMUM_QUERY_CHARACTERS,
      sizeCalculation: (_document, query) => query.length,
    });
    const schema = { ...buildProjectSchema(catalog), documents };
    this.#schemas.set(key, schema);
    return schema;
  }
}
