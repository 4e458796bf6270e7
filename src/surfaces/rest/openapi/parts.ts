import type { ErrorCode } from '../../../../contracts/errors.js';
import { headers } from './headers.js';
import type { MediaType, ParameterObject, ResponseObject, SchemaObject } from './types.js';

/** A successful response. */
export const answered = (description: string, content?: Record<string, MediaType>): ResponseObject => ({
  description,
  headers: headers('X-Request-Id'),
  ...(content && { content }),
});

/** A JSON body with its example. */
export const jsonOf = (schema: SchemaObject, example: unknown): Record<string, MediaType> => ({
  'application/json': { schema, example },
});

/** The project in a path. */
export const projectParameter = (name: string): ParameterObject => ({
  name,
  in: 'path',
  required: true,
  description: 'Slug of the project.',
  schema: { type: 'string' },
  example: 'demo',
});

/** Security of endpoints that take keys only. */
export const keyRequired = [{ apiKey: [] }];
/** What a key can be refused for. */
export const entranceFailures: ErrorCode[] = [
  'unauthorized',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'wrong_project',
  'environment_not_allowed',
  'tenant_inactive',
];
