import { failureBody, AppError } from '../../../../contracts/errors.js';
import { errorTable, type ErrorCode } from '../../../../contracts/error-codes.js';
import type { Audience, OperationMeta } from '../../../../contracts/metadata.js';
import { headers, type Part, type ResponseObject, type Responses, type SchemaObject } from './types.js';

/** `components.schemas.Failure` (specification section 7). */
export const failureSchema: SchemaObject = {
  type: 'object',
  description: 'A failure with a stable code, a message and details.',
  properties: {
    error: { type: 'string', description: 'Error code. New codes may be added.', examples: ['validation_failed'] },
    message: { type: 'string', description: 'Description of the error in English. The wording may change.' },
    details: { description: 'Depends on the code, for example `issues` for invalid input.' },
  },
  required: ['error', 'message'],
};

const keyFailures = ['invalid_api_key', 'api_key_revoked', 'api_key_expired'] as const;
const sessionFailures = ['invalid_session', 'session_expired', 'second_factor_required'] as const;
const projectFailures = [
  'wrong_project',
  'ip_not_allowed',
  'environment_not_allowed',
  'tenant_inactive',
  'permission_denied',
  'project_not_found',
] as const;

/** Rule access/failures. */
const sharedFailures: Readonly<Record<Audience, readonly ErrorCode[]>> = {
  delivery: [...keyFailures, ...projectFailures],
  management: ['unauthorized', ...keyFailures, ...sessionFailures, 'wrong_key_type', ...projectFailures],
  platform: ['unauthorized', ...keyFailures, ...sessionFailures, 'super_admin_required'],
  session: [],
  account: ['unauthorized', ...keyFailures, ...sessionFailures, 'wrong_key_type'],
};

export const bodyFailures = [
  'invalid_json',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
] as const;
export const idempotencyFailures = ['idempotency_in_progress', 'idempotency_key_reused'] as const;
export const serverFailures = ['rate_limit_exceeded', 'internal_error', 'service_unavailable'] as const;

/** Every error code that an operation can return over REST. */
export function failuresOf(meta: OperationMeta, hasBody: boolean): ErrorCode[] {
  const { audience, action, confirmation, openapi, errors = [] } = meta;
  return [
    ...sharedFailures[audience].filter(
      (code) => code !== 'second_factor_required' || meta.beforeSecondFactor !== true,
    ),
    ...(hasBody ? bodyFailures : []),
    'validation_failed',
    ...(action === 'read' || audience === 'session' ? [] : (['conflict'] as const)),
    ...(confirmation === undefined ? [] : (['confirmation_required'] as const)),
    ...(openapi?.method === 'PUT' ? (['read_only'] as const) : []),
    ...errors,
    ...serverFailures,
  ];
}

const sampleDetails: Partial<Record<ErrorCode, unknown>> = {
  validation_failed: {
    issues: [{ path: ['name'], code: 'invalid_type', message: 'Invalid input: expected string' }],
  },
  rate_limit_exceeded: { limit: 600, windowSeconds: 60, retryAfter: 42 },
  confirmation_required: {
    confirmToken: 'eyJhbGciOiJIUzI1NiIsInR5cCI6Imh3LWNvbmZpcm0rand0In0.eyJjYWwiOiJrSjlRIn0.c2lnbmF0dXJl',
    expiresAt: '2027-01-01T00:05:00.000Z',
    preview: { data: { id: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69' }, dryRun: true, changes: [] },
  },
  permission_denied: { resource: 'entries', action: 'publish' },
  payload_too_large: { maximumBytes: 1_048_576 },
  internal_error: { requestId: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69' },
};

const titles: Readonly<Record<number, string>> = {
  400: 'The request is malformed',
  401: 'The credential is missing or invalid',
  403: 'The credential does not permit this',
  404: 'A resource does not exist',
  406: 'The requested media type is not available',
  409: 'The request conflicts with the current state',
  412: 'The precondition failed',
  413: 'The body is too large',
  415: 'The media type of the body is not supported',
  422: 'The input is invalid',
  500: 'Internal error',
  429: 'Too many requests',
  503: 'The service is temporarily unavailable; `details.outcome` is `unknown` when the change may have been saved',
};

function failureHeaders(status: number): Record<string, Part> {
  return {
    ...headers('X-Request-Id'),
    ...(status === 401 || status === 403 ? headers('WWW-Authenticate') : {}),
    ...(status === 429 ? headers('RateLimit-Policy', 'RateLimit', 'Retry-After') : {}),
    ...(status === 503 ? headers('Retry-After') : {}),
  };
}

function failureResponse(status: number, codes: readonly ErrorCode[]): ResponseObject {
  const examples = codes.map(
    (code) => [code, { value: failureBody(new AppError(code, sampleDetails[code])) }] as const,
  );
  return {
    description: `${titles[status] ?? 'Failure'}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: failureHeaders(status),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function byStatus(codes: readonly ErrorCode[]): [string, readonly ErrorCode[]][] {
  const groups = Map.groupBy([...new Set(codes)], (code) => errorTable[code].status);
  return [...groups].map(([status, group]) => [String(status), group]);
}

/** Responses that many operations share, by their codes. */
const sharedGroups = new Map<
  string,
  { readonly name: string; readonly status: string; readonly codes: readonly ErrorCode[] }
>();
const share = (prefix: string, failures: readonly ErrorCode[]): void => {
  for (const [status, codes] of byStatus(failures)) {
    const key = codes.join();
    if (!sharedGroups.has(key)) sharedGroups.set(key, { name: `${prefix}${status}`, status, codes });
  }
};
share('Failure', [...bodyFailures, 'validation_failed', 'conflict', ...serverFailures]);
for (const audience of ['Management', 'Delivery', 'Platform'] as const) {
  share(audience, sharedFailures[audience.toLowerCase() as Lowercase<typeof audience>]);
}

/** `components.responses`, those that the paths refer to. */
export function sharedResponses(paths: object): Record<string, ResponseObject> {
  const text = JSON.stringify(paths);
  const used = [...sharedGroups.values()].filter(({ name }) => text.includes(`/responses/${name}"`));
  return Object.fromEntries(
    used.map(({ name, status, codes }) => [
      name,
      failureResponse(Number(status), codes),
    ]),
  );
}

/** One response per status; its description lists the codes. */
export function failureResponses(codes: readonly ErrorCode[]): Responses {
  return Object.fromEntries(
    byStatus(codes).map(([status, group]) => {
      const shared = sharedGroups.get(group.join());
      return [
        status,
        shared ? { $ref: `#/components/responses/${shared.name}` } : failureResponse(Number(status), group),
      ];
    }),
  );
}
