import type { ErrorCode } from '../../../../contracts/error-codes.js';
import { headers, type MediaType, type ParameterObject, type ResponseObject, type SchemaObject } from './types.js';

export const responseOf = (description: string, content?: Record<string, MediaType>): ResponseObject => ({
  description,
  headers: headers('X-Request-Id'),
  ...(content && { content }),
});

export const jsonOf = (schema: SchemaObject, example: unknown): Record<string, MediaType> => ({
  'application/json': { schema, example },
});

export const projectParameter = (name: string): ParameterObject => ({
  name,
  in: 'path',
  required: true,
  description: 'Slug of the project.',
  schema: { type: 'string' },
  example: 'demo',
});

export const keyRequired = [{ apiKey: [] }];
/** Failures of endpoints that accept API keys only. */
export const accessFailures: ErrorCode[] = [
  'unauthorized',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'wrong_project',
  'environment_not_allowed',
  'tenant_inactive',
];
