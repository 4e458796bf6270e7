import type { ParameterObject, Part } from './types.js';

const text = (description: string, example: string): Part => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Response headers, `components.headers`. */
export const headerComponents = {
  'X-Request-Id': {
    description: 'Id of the exchange: the UUID that the request bore under this name, or a new one.',
    schema: { type: 'string', format: 'uuid' },
    example: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69',
  },
  'WWW-Authenticate': text(
    'What credential is called for (RFC 6750).',
    'Bearer realm="management", error="invalid_token"',
  ),
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer' },
    example: 2,
  },
  'RateLimit-Policy': text('The limit of the caller: requests and seconds.', '"key";q=600;w=60'),
  RateLimit: text(
    'Remaining requests, and seconds until the window resets; absent on cacheable responses.',
    '"key";r=599;t=42',
  ),
  'Idempotent-Replayed': text('`true` when this is the stored response of an earlier request.', 'true'),
  'Cache-Control': text(
    'How long the response may be cached; `private, no-store` for preview and management keys.',
    'public, max-age=60, stale-while-revalidate=3600',
  ),
  'Surrogate-Key': text(
    'Cache tags of everything in the body, separated by spaces.',
    'entry:019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69 type:article site:main project:demo',
  ),
  ETag: text('The version of the item, for `If-Match`.', '"3"'),
  'X-Service-Data-Region': text('Region of the data; present where one is configured.', 'eu-central'),
} as const satisfies Record<string, Part>;

/** The request header of operations on items with a version. */
export const ifMatch: ParameterObject = {
  name: 'If-Match',
  in: 'header',
  description: 'The `ETag` that the item was read with: 412 unless it is still at this version.',
  schema: { type: 'string' },
  example: '"3"',
};

/** The request header of operations whose effect can be asked for once. */
export const idempotencyKey: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique name for this request. Repeated within 24 hours, it returns the stored response and has no effect.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '5f3a0c1e-order-42',
};

/** References to header components by their names. */
export const headers = (...names: (keyof typeof headerComponents)[]): Record<string, Part> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
