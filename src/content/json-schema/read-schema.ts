import { limits } from '../../../contracts/limits.js';
import type { Problem } from '../model/problem.js';
import { applicators, dialect, refusedKeywords, type Applicator } from './vocabulary.js';

/** A subschema, or the whole schema. */
export interface SchemaPart {
  /** From the root of the schema. */
  readonly path: readonly string[];
  /** 1 for the whole schema. */
  readonly level: number;
  readonly source: boolean | Readonly<Record<string, unknown>>;
  readonly children: readonly SchemaChild[];
  /** Target of its `$ref`; set once all parts are known. */
  reference: SchemaPart | null;
}

interface SchemaChild {
  readonly keyword: string;
  /** Name or index under the keyword; null for a keyword with a single schema. */
  readonly key: string | null;
  readonly applies: Applicator['applies'];
  readonly part: SchemaPart;
}

export interface ReadSchema {
  readonly root: SchemaPart;
  readonly parts: readonly SchemaPart[];
  readonly problems: readonly Problem[];
}

/** Splits a schema into its parts and resolves its references, which can name counted parts only. */
export function readSchema(schema: Readonly<Record<string, unknown>>): ReadSchema {
  const reader = new Reader();
  const root = reader.read(schema, [], 1);
  reader.resolve();
  return { root, parts: reader.parts, problems: reader.problems };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

class Reader {
  readonly parts: SchemaPart[] = [];
  readonly problems: Problem[] = [];

  read(source: unknown, path: readonly string[], level: number): SchemaPart {
    const children: SchemaChild[] = [];
    const isSchema = typeof source === 'boolean' || isRecord(source);
    const part: SchemaPart = { path, level, source: isSchema ? source : true, children, reference: null };
    this.parts.push(part);
    if (!isSchema) this.#refuse(path, 'invalid_schema', 'A schema is an object or a boolean.');
    else if (level > limits.jsonSchemaDepth)
      this.#refuse(path, 'too_deep', `Schemas may be nested ${limits.jsonSchemaDepth} deep.`);
    else if (this.parts.length > limits.jsonSchemaParts) this.#refuseSize(path);
    else if (isRecord(source)) {
      this.#checkKeywords(source, path);
      for (const [keyword, value] of Object.entries(source)) {
        const applicator = applicators.get(keyword);
        if (applicator === undefined) continue;
        for (const [key, held] of this.#held(applicator, value, [...path, keyword])) {
          const at = key === null ? [...path, keyword] : [...path, keyword, key];
          children.push({
            keyword,
            key,
            applies: applicator.applies,
            part: this.read(held, at, level + 1),
          });
        }
      }
    }
    return part;
  }

  resolve(): void {
    const byPointer = new Map(this.parts.map((part) => [part.path.join('\0'), part]));
    for (const part of this.parts) {
      const reference = typeof part.source === 'boolean' ? undefined : part.source.$ref;
      if (reference === undefined) continue;
      const steps = typeof reference === 'string' ? stepsOf(reference) : null;
      const target = steps === null ? undefined : byPointer.get(steps.join('\0'));
      if (target !== undefined) part.reference = target;
      else
        this.#refuse(
          [...part.path, '$ref'],
          'invalid_reference',
          'A reference is "#" or a pointer to a schema in this document, such as "#/$defs/name".',
        );
    }
  }

  #held(
    { holding }: Applicator,
    value: unknown,
    path: readonly string[],
  ): readonly (readonly [string | null, unknown])[] {
    if (holding === 'one') return [[null, value]];
    if (holding === 'list' && Array.isArray(value))
      return value.map((item: unknown, index) => [String(index), item]);
    if (holding === 'map' && isRecord(value)) return Object.entries(value);
    this.#refuse(path, 'invalid_schema', `The value must be ${holding === 'list' ? 'a list' : 'an object'}.`);
    return [];
  }

  #checkKeywords(source: Readonly<Record<string, unknown>>, path: readonly string[]): void {
    for (const keyword of Object.keys(source).filter((name) => refusedKeywords.has(name)))
      this.#refuse([...path, keyword], 'unsupported_keyword', `The keyword ${keyword} is not supported.`);
    const { $schema: named } = source;
    if (named !== undefined && !(typeof named === 'string' && dialect.test(named)))
      this.#refuse([...path, '$schema'], 'unsupported_dialect', 'Schemas are in JSON Schema 2020-12.');
  }

  #refuseSize(path: readonly string[]): void {
    if (this.parts.length > limits.jsonSchemaParts + 1) return;
    this.#refuse(path, 'too_many_schemas', `A schema may hold ${limits.jsonSchemaParts} schemas.`);
  }

  #refuse(path: readonly string[], code: string, message: string): void {
    this.problems.push({ path: [...path], code, message });
  }
}

/** Steps of a local reference; null for an invalid one. */
function stepsOf(reference: string): string[] | null {
  if (reference === '#') return [];
  if (!reference.startsWith('#/')) return null;
  try {
    return reference
      .slice(2)
      .split('/')
      .map((step) => decodeURIComponent(step).replace(/~1/g, '/').replace(/~0/g, '~'));
  } catch {
    return null;
  }
}
