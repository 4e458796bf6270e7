import { failureBody, AppError } from '../../../../contracts/errors.js';
import { errorTable, type ErrorCode } from '../../../../contracts/error-codes.js';
import { audiences, type Audience, type OperationMeta } from '../../../../contracts/metadata.js';
import { referredTo } from './document-info.js';
import {
  headers,
  type MediaType,
  type Part,
  type PathItem,
  type ResponseObject,
  type Responses,
  type SchemaObject,
} from './types.js';

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
const idempotencyFailures = ['idempotency_in_progress', 'idempotency_key_reused'] as const;
export const serverFailures = ['rate_limit_exceeded', 'internal_error', 'service_unavailable'] as const;

/** What an operation does, which decides what it has in common with others: create accepts idempotency keys. */
const effects = ['Read', 'Write', 'Create', 'Update'] as const;
type Effect = (typeof effects)[number];

const failuresByEffect: Readonly<Record<Effect, readonly ErrorCode[]>> = {
  Read: [],
  Write: bodyFailures,
  Create: [...bodyFailures, ...idempotencyFailures, 'limit_reached'],
  Update: [...bodyFailures, 'read_only', 'no_update_fields'],
};

/** Codes that operations of an audience with the same effect have in common; `default` describes them. */
const commonFailures = (audience: Audience, effect: Effect): ErrorCode[] => [
  ...sharedFailures[audience],
  ...failuresByEffect[effect],
  ...(effect !== 'Read' && audience === 'management' ? (['confirmation_required'] as const) : []),
  'validation_failed',
  ...(effect !== 'Read' && audience !== 'session' ? (['conflict'] as const) : []),
  ...serverFailures,
];

/** Codes of the operation itself, each under its status. */
const ownFailures = ({ confirmation, errors = [] }: OperationMeta): ErrorCode[] => [
  ...(confirmation === undefined ? [] : (['confirmation_required'] as const)),
  ...errors,
];

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

/** `components.schemas.Failure` (specification section 7). */
export const failureSchema: SchemaObject = {
  type: 'object',
  description: 'A failure with a stable code, a message and details.',
  properties: {
    error: {
      type: 'string',
      description: 'Error code. New codes may be added.',
      examples: ['validation_failed'],
    },
    message: {
      type: 'string',
      description: 'Description of the error in English. The wording may change.',
      examples: ['The input is invalid.'],
    },
    details: { description: 'Depends on the code, for example `issues` for invalid input.' },
  },
  required: ['error', 'message'],
  examples: Object.entries(sampleDetails).map(([code, details]) =>
    failureBody(new AppError(code as ErrorCode, details)),
  ),
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

function failureHeaders(statuses: readonly number[]): Record<string, Part> {
  const has = (...sought: number[]): boolean => statuses.some((status) => sought.includes(status));
  return {
    ...headers('X-Request-Id'),
    ...(has(401, 403) ? headers('WWW-Authenticate') : {}),
    ...(has(429) ? headers('RateLimit-Policy', 'RateLimit') : {}),
    ...(has(429, 503) ? headers('Retry-After') : {}),
  };
}

/** Those with details, or else the first one: others differ in code and message only. */
function shownCodes(codes: readonly ErrorCode[]): readonly ErrorCode[] {
  const detailed = codes.filter((code) => sampleDetails[code] !== undefined);
  return detailed.length > 0 ? detailed : codes.slice(0, 1);
}

const listed = (codes: readonly ErrorCode[]): string => codes.map((code) => `\`${code}\``).join(', ');

const failureResponse = (
  description: string,
  codes: readonly ErrorCode[],
  media: MediaType = {},
): ResponseObject => ({
  description,
  headers: failureHeaders(codes.map((code) => errorTable[code].status)),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' }, ...media } },
});

function byStatus(codes: readonly ErrorCode[]): [status: number, codes: readonly ErrorCode[]][] {
  return [...Map.groupBy([...new Set(codes)], (code) => errorTable[code].status)].sort(([a], [b]) => a - b);
}

/** The only code of a status, which its component names; other references name theirs. */
function onlyCode(status: number): ErrorCode | undefined {
  const codes = (Object.keys(errorTable) as ErrorCode[]).filter((code) => errorTable[code].status === status);
  return codes.length === 1 ? codes[0] : undefined;
}

function statusResponse(status: number, codes: readonly ErrorCode[]): ResponseObject {
  const only = onlyCode(status);
  const title = `${titles[status] ?? 'Failure'}${only === undefined ? '' : `: \`${only}\``}.`;
  const examples = shownCodes(codes).map(
    (code) => [code, { $ref: `#/components/examples/${code}` }] as const,
  );
  return failureResponse(title, codes, { examples: Object.fromEntries(examples) });
}

/** Its examples are those of the schema. */
const commonResponse = (codes: readonly ErrorCode[]): ResponseObject => {
  const statuses = byStatus(codes).map(([status, group]) => `${String(status)} ${listed(group)}`);
  return failureResponse(`Common failures: ${statuses.join('; ')}.`, codes);
};

/** Most operations are of the management API: theirs are the shortest. */
const commonName = (audience: Audience, effect: Effect): string =>
  audience === 'management'
    ? `${effect}Failure`
    : `${audience.charAt(0).toUpperCase()}${audience.slice(1)}${effect}Failure`;

/** Codes that operations name under a status. */
function codesNamed(paths: Record<string, PathItem>): ReadonlyMap<string, readonly ErrorCode[]> {
  const codes = new Map<string, Set<ErrorCode>>();
  for (const { responses } of Object.values(paths).flatMap((item) => Object.values(item)))
    for (const [status, response] of Object.entries(responses)) {
      if (!('$ref' in response) || status === 'default') continue;
      const named = codes.get(status) ?? new Set();
      const given = response.description ?? `\`${onlyCode(Number(status)) ?? 'validation_failed'}\``;
      for (const [, code = ''] of given.matchAll(/`(\w+)`/g)) named.add(code as ErrorCode);
      codes.set(status, named);
    }
  return new Map([...codes].map(([status, named]) => [status, [...named].sort()]));
}

/** `components.responses`, those that the paths refer to. */
export function sharedResponses(paths: Record<string, PathItem>): Record<string, ResponseObject> {
  const text = JSON.stringify(paths);
  const common = audiences
    .flatMap((audience) =>
      effects.map((effect) => ({ audience, effect, name: commonName(audience, effect) })),
    )
    .filter(({ name }) => text.includes(`/responses/${name}"`));
  const named = codesNamed(paths);
  return Object.fromEntries([
    ...common.map(
      ({ audience, effect, name }) => [name, commonResponse(commonFailures(audience, effect))] as const,
    ),
    ...[...named].map(([status, codes]) => [status, statusResponse(Number(status), codes)] as const),
  ]);
}

/** `components.examples` of these responses, by their codes. */
export const failureExamples = (
  responses: Readonly<Record<string, ResponseObject>>,
): Record<string, { value: unknown }> =>
  Object.fromEntries(
    [...referredTo('examples', responses)].sort().map((name) => {
      const code = name as ErrorCode;
      return [code, { value: failureBody(new AppError(code, sampleDetails[code])) }];
    }),
  );

/** One response per status; the description of its reference lists the codes. */
export const failureResponses = (codes: readonly ErrorCode[]): Responses =>
  Object.fromEntries(
    byStatus(codes).map(([status, group]) => {
      const description = onlyCode(status) === undefined ? { description: `${listed(group)}.` } : {};
      return [status, { $ref: `#/components/responses/${String(status)}`, ...description }];
    }),
  );

function effectOf(meta: OperationMeta, hasBody: boolean, isIdempotent: boolean): Effect {
  if (isIdempotent) return 'Create';
  if (meta.openapi?.method === 'PUT') return 'Update';
  return hasBody || meta.action !== 'read' ? 'Write' : 'Read';
}

/** The responses of an operation for its failures. */
export function failuresOf(meta: OperationMeta, hasBody: boolean, isIdempotent: boolean): Responses {
  const effect = effectOf(meta, hasBody, isIdempotent);
  const common = commonFailures(meta.audience, effect);
  const responses = failureResponses(ownFailures(meta).filter((code) => !common.includes(code)));
  const refuses = Object.keys(responses).some((status) => status.startsWith('4'));
  // Linters expect a response for what the caller does wrong.
  const refused = { 422: { $ref: '#/components/responses/422' } };
  return {
    ...(refuses ? {} : refused),
    ...responses,
    default: { $ref: `#/components/responses/${commonName(meta.audience, effect)}` },
  };
}

/** The responses of an operation without a contract that takes API keys. */
export const keyFailureResponses = (codes: readonly ErrorCode[]): Responses => {
  const common = commonFailures('delivery', 'Read');
  return {
    ...failureResponses(codes.filter((code) => !common.includes(code))),
    default: { $ref: `#/components/responses/${commonName('delivery', 'Read')}` },
  };
};
