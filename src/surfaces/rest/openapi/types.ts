/** Parts of an OpenAPI 3.1 document. */
export type SchemaObject = Record<string, unknown>;

export interface MediaType {
  schema?: SchemaObject;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown } | Reference>;
}

/** A part of the document or a reference to a component. */
export type Part = Record<string, unknown>;

export interface ParameterObject {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema?: SchemaObject;
  [key: string]: unknown;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, Part>;
  content?: Record<string, MediaType>;
}

interface Reference {
  $ref: string;
  /** Replaces that of the component. */
  description?: string;
}

/** Responses by status. */
export type Responses = Record<string, ResponseObject | Reference>;

export interface RequestBody {
  required?: boolean;
  description?: string;
  content: Record<string, MediaType>;
}

export interface OperationObject {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  /** That of the document if absent. */
  security?: Record<string, string[]>[];
  parameters?: ParameterObject[];
  requestBody?: RequestBody;
  responses: Responses;
}

/** Operations by method in lower case. */
export type PathItem = Record<string, OperationObject>;

/** As served: with the parameters that all its operations have. */
export type ServedPath = Readonly<Record<string, OperationObject | readonly Part[]>>;

export type Schemas = Record<string, SchemaObject>;

const stringHeader = (description: string, example: string): Part => ({
  description,
  schema: { type: 'string' },
  example,
});

/** `components.headers`: response headers. */
export const headerComponents = {
  'Content-Disposition': stringHeader('File name.', 'attachment; filename="file.csv"'),
  'X-Request-Id': {
    description: 'Id of the request: the UUID sent in this header, or a new one.',
    schema: { type: 'string', format: 'uuid' },
    example: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69',
  },
  'WWW-Authenticate': stringHeader(
    'Required credential (RFC 6750).',
    'Bearer realm="management", error="invalid_token"',
  ),
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer' },
    example: 2,
  },
  'RateLimit-Policy': stringHeader('Limit of the caller in requests per seconds.', '"key";q=600;w=60'),
  RateLimit: stringHeader(
    'Remaining requests and seconds until the window resets. Absent on cacheable responses.',
    '"key";r=599;t=42',
  ),
  'Cache-Control': stringHeader(
    'Caching of the response. `private, no-store` for preview and management keys.',
    'public, max-age=60, stale-while-revalidate=3600',
  ),
  'Surrogate-Key': stringHeader(
    'Cache tags of the response, separated by spaces.',
    'entry:019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69 type:article site:main project:demo',
  ),
  'X-Ignored-Parameters': stringHeader(
    'Query parameters that the operation does not have, separated by commas and encoded as in a URL. Absent without such.',
    'section,utm_source',
  ),
  ETag: stringHeader('Version of the item for `If-Match`.', '"3"'),
  'Tus-Resumable': stringHeader('Version of the tus protocol.', '1.0.0'),
  'Upload-Offset': {
    description: 'Bytes that have arrived.',
    schema: { type: 'integer' },
    example: 33_554_432,
  },
  'Upload-Length': { description: 'Size of the file.', schema: { type: 'integer' }, example: 734_003_200 },
  'Upload-Expires': stringHeader('When the upload expires.', 'Mon, 02 Mar 2026 09:30:00 GMT'),
  Location: stringHeader('Path of the created item.', '/api/v1/projects/demo/content-types/article'),
  'X-Service-Data-Region': stringHeader('Region of the data, if configured.', 'eu-central'),
} as const satisfies Record<string, Part>;

export const ifMatch: ParameterObject = {
  name: 'If-Match',
  in: 'header',
  description: '`ETag` of the item. Fails with 412 unless this is its current version.',
  schema: { type: 'string' },
  example: '"3"',
};

export const idempotencyKey: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description: [
    'Unique key for this request, recommended for every POST.',
    'Repeating the request within 24 hours returns the stored response, with `Idempotent-Replayed: true`, and has no effect.',
    'After a 503 with `details.outcome: "unknown"`, or without a response, repeat the request with the same key:',
    'it takes effect exactly once, whether or not the change had been saved.',
  ].join(' '),
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '5f3a0c1e-order-42',
};

export const environment: ParameterObject = {
  name: 'X-Environment',
  in: 'header',
  description:
    'Slug of the environment for this request, instead of the selected or default one. Anonymous callers and delivery keys cannot choose.',
  schema: { type: 'string' },
  example: 'staging',
};

export const confirmToken: ParameterObject = {
  name: 'X-Confirm-Token',
  in: 'header',
  description:
    'Token of a `confirmation_required` response to the same request. Needed by keys with `requireConfirmation`, and in protected environments.',
  schema: { type: 'string' },
  example: 'eyJhbGciOiJIUzI1NiIsInR5cCI6Imh3LWNvbmZpcm0rand0In0.eyJjYWwiOiJrSjlRIn0.c2lnbmF0dXJl',
};

/** References to {@link headerComponents}. */
export const headers = (...names: (keyof typeof headerComponents)[]): Record<string, Part> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export type Properties = Readonly<Record<string, SchemaObject>>;

export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Shorter parts than this are not worth a schema of two parts. */
const SHORTEST_BASE = 400;
const SHORTEST_OF_KIND = 150;

/** Whether a schema has all properties of another one, and needs those that it needs. */
function extendsBase(schema: SchemaObject, base: SchemaObject): boolean {
  const [all, some] = [schema, base].map(({ properties }) => (properties ?? {}) as Properties);
  const [needed, neededByBase] = [schema, base].map(({ required }) => (required ?? []) as string[]);
  const names = Object.keys(some ?? {});
  return (
    names.length < Object.keys(all ?? {}).length &&
    [schema, base].every(({ additionalProperties }) => additionalProperties === undefined) &&
    names.every((name) => same(all?.[name], some?.[name])) &&
    (neededByBase ?? []).every((name) => needed?.includes(name) === true)
  );
}

const isOpen = ({ properties, additionalProperties }: SchemaObject): boolean =>
  additionalProperties === undefined && properties !== undefined;

const kindOf = (name: string): string | undefined => /[A-Z][a-z]+$/.exec(name)?.[0];

/** Whether a schema can be written as another one and the rest: a long one, or a shorter one of the same kind. */
const isBaseOf = ([name, base]: [string, SchemaObject], extended: string): boolean =>
  JSON.stringify(base.properties).length >
  (kindOf(name) === kindOf(extended) ? SHORTEST_OF_KIND : SHORTEST_BASE);

/** What most items have. */
const storedKeys = ['id', 'createdAt', 'updatedAt'];

/** The component with the keys that most items have, as most of them describe these. */
function storedItemOf(schemas: Schemas): Schemas {
  const all = Object.values(schemas).filter(isOpen);
  const found = all.flatMap(({ properties, required = [] }) => {
    const own = storedKeys.map((key) => [key, (properties as Properties)[key]] as const);
    const isWhole = own.every(([key, part]) => part !== undefined && (required as string[]).includes(key));
    return isWhole ? [JSON.stringify(Object.fromEntries(own))] : [];
  });
  const counted = [...Map.groupBy(found, (text) => text)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  const [[text, uses = []] = []] = counted;
  if (text === undefined || uses.length < 3) return {};
  const description = 'An item with its id and times.';
  return {
    StoredItem: {
      type: 'object',
      description,
      properties: JSON.parse(text) as Properties,
      required: storedKeys,
    },
  };
}

/** Writes a schema that has all that another one has as that one and the rest. */
export function extendSchemas(given: Schemas): Schemas {
  const stored = storedItemOf(given);
  const schemas = { ...given, ...stored };
  const bases = Object.entries(schemas).filter(([, schema]) => isOpen(schema));
  bases.sort(
    ([, one], [, other]) =>
      Object.keys(other.properties as Properties).length - Object.keys(one.properties as Properties).length,
  );
  const extended = Object.entries(schemas).map(([name, schema]): [string, SchemaObject] => {
    const found = isOpen(schema)
      ? bases.find(
          (base) =>
            base[1] !== schema && (base[0] in stored || isBaseOf(base, name)) && extendsBase(schema, base[1]),
        )
      : undefined;
    return [name, found === undefined ? schema : extension(schema, { name: found[0], base: found[1] })];
  });
  return Object.fromEntries(extended.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function extension(schema: SchemaObject, { name, base }: { name: string; base: SchemaObject }): SchemaObject {
  const { type, properties, required = [], ...other } = schema as SchemaObject & { required?: string[] };
  const inBase = new Set(Object.keys(base.properties as Properties));
  const own = Object.entries(properties as Properties).filter(([key]) => !inBase.has(key));
  const needed = required.filter((key) => !inBase.has(key));
  const rest = { type, properties: Object.fromEntries(own), ...(needed.length > 0 && { required: needed }) };
  return { ...other, allOf: [{ $ref: `#/components/schemas/${name}` }, rest] };
}

/** How often each schema is referred to. */
function countReferences(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Writes schemas with these names where they are used if that is shorter. */
export function inlineShort<P extends { readonly schemas: Schemas }>(
  parts: P,
  names: ReadonlySet<string>,
): P {
  const { schemas, ...others } = parts;
  const texts = new Map(Object.entries(schemas).map(([name, schema]) => [name, JSON.stringify(schema)]));
  let rest = JSON.stringify(others);
  const counts = countReferences([rest, ...texts.values()]);
  const lengths = [...names].map((name) => [name, texts.get(name)?.length ?? 0] as const);
  for (const [name] of lengths.sort(([, one], [, other]) => one - other)) {
    const reference = `"$ref":"#/components/schemas/${name}"`;
    // Without braces: a reference can have a description beside it.
    const body = texts.get(name)?.slice(1, -1) ?? '';
    const uses = counts.get(name) ?? 0;
    if (uses * body.length > uses * reference.length + body.length + name.length) continue;
    texts.delete(name);
    for (const [inner, count] of countReferences([body]))
      counts.set(inner, (counts.get(inner) ?? 0) + count * (uses - 1));
    for (const [other, text] of texts)
      if (text.includes(reference))
        texts.set(
          other,
          text.replaceAll(reference, () => body),
        );
    rest = rest.replaceAll(reference, () => body);
  }
  const kept = [...texts].map(([name, text]) => [name, JSON.parse(text) as SchemaObject] as const);
  return { ...(JSON.parse(rest) as Omit<P, 'schemas'>), schemas: Object.fromEntries(kept) } as P;
}
