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
  'Upload-Offset': { description: 'Bytes that have arrived.', schema: { type: 'integer' }, example: 33_554_432 },
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
