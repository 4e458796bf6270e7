import { agentsPath, rpcMessage, graphqlPath, graphqlSdlPath, responseOf, jsonOf } from './protocol-paths.js';
import { audiences } from '../../../../contracts/metadata.js';
import { failureResponses, keyFailureResponses } from './failures.js';
import type { OperationObject, ParameterObject, PathItem, SchemaObject } from './types.js';

const status = {
  type: 'object',
  properties: { data: { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] } },
  required: ['data'],
};

const checks = { database: 'ok', migrations: 'ok', queue: 'ok', writes: 'ok', clock: 'ok' };
const readinessPurpose: ParameterObject = {
  name: 'for',
  in: 'query',
  description: '`reads` ignores the job queue and writes, which published content does without.',
  schema: { type: 'string', enum: ['reads'] },
  example: 'reads',
};
const audienceOfDocument: ParameterObject = {
  name: 'audience',
  in: 'query',
  description:
    'Describe operations of this audience only: `delivery` for sites and apps, `management` for editors and programs, `platform`, `session` for logins, or `account`.',
  schema: { type: 'string', enum: [...audiences] },
  example: 'delivery',
};
const state = { type: 'string', enum: ['ok', 'off', 'degraded', 'failing'] };
const readiness = {
  type: 'object',
  properties: {
    data: {
      type: 'object',
      properties: {
        status: { type: 'string' },
        checks: { type: 'object', additionalProperties: state },
        degraded: { type: 'array', items: { type: 'string' }, minItems: 1 },
      },
      required: ['status', 'checks'],
    },
  },
  required: ['data'],
};

function serviceOperation(
  operationId: string,
  { summary, description }: { summary: string; description: string },
  responses: OperationObject['responses'],
): OperationObject {
  return { operationId, summary, description, tags: ['Service'], security: [], responses };
}

const servicePaths: Record<string, PathItem> = {
  '/healthz': {
    get: serviceOperation(
      'serviceHealth',
      { summary: 'Check liveness', description: 'Returns 200 while the process is running.' },
      { 200: responseOf('The process is running.', jsonOf(status, { data: { status: 'ok' } })) },
    ),
  },
  '/readyz': {
    get: {
      ...serviceOperation(
        'serviceReadiness',
        {
          summary: 'Check readiness',
          description:
            'Checks that the database is reachable and accepts writes, its migrations are applied, the job queue is running and the process is not stopping. The response names the failing checks. With the status `degraded`, which is 200, it names systems without which most requests are served.',
        },
        {
          200: responseOf('The service is ready.', jsonOf(readiness, { data: { status: 'ready', checks } })),
          ...failureResponses(['service_unavailable']),
        },
      ),
      parameters: [readinessPurpose],
    },
  },
  '/metrics': {
    get: serviceOperation(
      'serviceMetrics',
      {
        summary: 'Get the metrics',
        description:
          'Returns metrics of the process in Prometheus format. Requires the bearer token `METRICS_TOKEN`. Returns 404 if no token is configured.',
      },
      {
        200: responseOf('The metrics.', {
          'text/plain': {
            schema: { type: 'string' },
            example: 'headwater_requests_total{surface="rest",operation="entries.list",status="200"} 42\n',
          },
        }),
        ...failureResponses(['unauthorized', 'not_found']),
      },
    ),
  },
  '/openapi.json': {
    get: {
      ...serviceOperation(
        'serviceDescription',
        {
          summary: 'Get this document',
          description: 'Returns the OpenAPI document of the service, or the part of one audience.',
        },
        {
          200: responseOf('The document.', jsonOf({ type: 'object' }, { openapi: '3.1.0' })),
          ...failureResponses(['validation_failed']),
        },
      ),
      parameters: [audienceOfDocument],
    },
  },
};

/** The event stream of a user (rule access/notifications). */
const livePath: PathItem = {
  get: {
    operationId: 'notificationsListen',
    summary: 'Stream what changes for you',
    description:
      'Streams `notifications` when the notifications of the user have changed: read them again, and `presence` with who else is on an entry on which the user is announced. Messages within a moment are sent as one, and lost ones are not repeated, so read after each connection. Requires `Accept: text/event-stream`.',
    tags: ['Notifications'],
    security: [{ session: [] }],
    responses: {
      200: responseOf('The event stream.', {
        'text/event-stream': { schema: { type: 'string' }, example: 'event: notifications\ndata: {}\n\n' },
      }),
      ...failureResponses([
        'unauthorized',
        'invalid_session',
        'session_expired',
        'wrong_key_type',
        'not_acceptable',
        'rate_limit_exceeded',
        'service_unavailable',
      ]),
    },
  },
};

/** The stream of changes of a site (rule publication/preview-sessions). */
const previewStreamPath: PathItem = {
  get: {
    operationId: 'deliveryPreviewStream',
    summary: 'Stream what changes on a site',
    description:
      'Streams `changed` with `{entryId, locale, version}` when a draft or publication of the site has changed, for preview and management keys and preview sessions. A null `locale` means every locale, a null `entryId` any entry. Browsers send the token of a session as `previewToken`. Lost messages are not repeated, so read after each connection. A client that does not read is disconnected. Requires `Accept: text/event-stream`.',
    tags: ['Delivery'],
    parameters: [
      ...['slug', 'siteSlug'].map((name): ParameterObject => ({
        name,
        in: 'path',
        required: true,
        description: name === 'slug' ? 'Slug of the project.' : 'Slug of the site.',
        schema: { type: 'string' },
        example: name === 'slug' ? 'demo' : 'main',
      })),
      {
        name: 'previewToken',
        in: 'query',
        description: 'Token of a preview session.',
        schema: { type: 'string' },
        example:
          'eyJhbGciOiJIUzI1NiIsInR5cCI6Imh3LXByZXZpZXctc2Vzc2lvbitqd3QifQ.eyJwcmoiOiIwMTlhM2I1ZSJ9.uN4eVdVgYz0x8Qk0m3xq5l2cB7wKJ1n9rT6sD4fH2aE',
      },
    ],
    security: [{ apiKey: [] }, {}],
    responses: {
      200: responseOf('The event stream.', {
        'text/event-stream': {
          schema: { type: 'string' },
          example:
            'event: changed\ndata: {"entryId":"019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69","locale":"en","version":4}\n\n',
        },
      }),
      ...keyFailureResponses([
        'preview_not_allowed',
        'invalid_api_key',
        'invalid_preview_token',
        'project_not_found',
        'site_not_found',
        'not_acceptable',
        'rate_limit_exceeded',
        'service_unavailable',
      ]),
    },
  },
};

/** Schemas of {@link rawPaths}. */
export const rawSchemas: Record<string, SchemaObject> = { RpcMessage: rpcMessage };

/** Paths without a contract. */
export const rawPaths: Record<string, PathItem> = {
  '/api/graphql/{slug}': graphqlPath,
  '/api/graphql/{slug}/schema.graphql': graphqlSdlPath,
  '/api/mcp/{projectSlug}': agentsPath,
  '/api/v1/me/events': livePath,
  '/api/delivery/projects/{slug}/sites/{siteSlug}/preview/stream': previewStreamPath,
  ...servicePaths,
};
