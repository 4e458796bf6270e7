import { limits } from '../../../contracts/limits.js';
import { problem, type Problem } from '../model/problem.js';

/** A single subschema, a list of them, or a map by name. */
type Holding = 'one' | 'list' | 'map';

/** A keyword with subschemas. */
interface Applicator {
  readonly holding: Holding;
  /** Whether they apply to the same value, to parts of it, or only through a `$ref`. */
  readonly applies: 'beside' | 'below' | 'never';
}

const applicators: ReadonlyMap<string, Applicator> = new Map<string, Applicator>([
  ['allOf', { holding: 'list', applies: 'beside' }],
  ['anyOf', { holding: 'list', applies: 'beside' }],
  ['oneOf', { holding: 'list', applies: 'beside' }],
  ['not', { holding: 'one', applies: 'beside' }],
  ['if', { holding: 'one', applies: 'beside' }],
  ['then', { holding: 'one', applies: 'beside' }],
  ['else', { holding: 'one', applies: 'beside' }],
  ['dependentSchemas', { holding: 'map', applies: 'beside' }],
  ['properties', { holding: 'map', applies: 'below' }],
  ['patternProperties', { holding: 'map', applies: 'below' }],
  ['additionalProperties', { holding: 'one', applies: 'below' }],
  ['unevaluatedProperties', { holding: 'one', applies: 'below' }],
  ['propertyNames', { holding: 'one', applies: 'below' }],
  ['items', { holding: 'one', applies: 'below' }],
  ['prefixItems', { holding: 'list', applies: 'below' }],
  ['contains', { holding: 'one', applies: 'below' }],
  ['unevaluatedItems', { holding: 'one', applies: 'below' }],
  ['$defs', { holding: 'map', applies: 'never' }],
  ['definitions', { holding: 'map', applies: 'never' }],
]);

/** Keywords that rename a schema, refer outside it, or belong to earlier drafts. */
const refusedKeywords: ReadonlySet<string> = new Set([
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  '$async',
  'id',
  'dependencies',
  'additionalItems',
]);

/** The only supported dialect. */
const dialect = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

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

interface ReadSchema {
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

/** Size and height of a part with its references inlined. A reference to an enclosing part counts as one. */
interface Expansion {
  readonly size: number;
  readonly height: number;
}

/** Rejects references that multiply or nest too far once inlined. Linear in the size of the schema. */
export function checkExpansion(root: SchemaPart): Problem[] {
  const known = new Map<SchemaPart, Expansion>();
  const around = new Set<SchemaPart>();

  function measure(part: SchemaPart, depth: number): Expansion {
    const measured = known.get(part);
    if (measured !== undefined) return measured;
    if (around.has(part)) return { size: 1, height: 0 };
    if (depth > limits.jsonSchemaReach) return { size: 1, height: limits.jsonSchemaReach };
    around.add(part);
    let size = 1;
    let height = 0;
    for (const next of stepsFrom(part)) {
      const below = measure(next, depth + 1);
      size = Math.min(size + below.size, Number.MAX_SAFE_INTEGER);
      height = Math.max(height, below.height + 1);
    }
    around.delete(part);
    const expansion = { size, height };
    known.set(part, expansion);
    return expansion;
  }

  const { size, height } = measure(root, 0);
  if (size > limits.jsonSchemaExpansion || height >= limits.jsonSchemaReach) {
    return problem(
      'reference_expansion_exceeded',
      `With its references in place the schema may have ${limits.jsonSchemaExpansion} parts, one inside another up to ${limits.jsonSchemaReach} deep.`,
    );
  }
  return [];
}

/** Rejects a part that applies to the same value again, directly or through others. */
export function checkEndless(parts: readonly SchemaPart[]): Problem[] {
  const done = new Set<SchemaPart>();
  const around = new Set<SchemaPart>();

  function returns(part: SchemaPart): boolean {
    if (around.has(part)) return true;
    if (done.has(part)) return false;
    around.add(part);
    const isEndless = stepsBeside(part).some(returns);
    around.delete(part);
    done.add(part);
    return isEndless;
  }

  const endless = parts.find((part) => returns(part));
  if (endless === undefined) return [];
  const message = 'The schema refers to itself without descending into the value.';
  return [{ path: [...endless.path], code: 'endless_reference', message }];
}

function stepsFrom({ children, reference }: SchemaPart): SchemaPart[] {
  const held = children.filter(({ applies }) => applies !== 'never').map(({ part }) => part);
  return reference === null ? held : [...held, reference];
}

function stepsBeside({ children, reference }: SchemaPart): SchemaPart[] {
  const beside = children.filter(({ applies }) => applies === 'beside').map(({ part }) => part);
  return reference === null ? beside : [...beside, reference];
}
