import { agentsPath, rpcMessage } from './agents-path.js';
import { failureResponses } from './failures.js';
import { graphqlPath } from './graphql-path.js';
import { answered, jsonOf } from './parts.js';
import type { OperationObject, PathItem, SchemaObject } from './types.js';

const status = {
  type: 'object',
  properties: { data: { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] } },
  required: ['data'],
};

const checks = { database: 'ok', migrations: 'ok', queue: 'ok' };
const state = { type: 'string', enum: ['ok', 'off', 'failing'] };
const readiness = {
  type: 'object',
  properties: {
    data: {
      type: 'object',
      properties: {
        status: { type: 'string' },
        checks: { type: 'object', additionalProperties: state },
      },
      required: ['status', 'checks'],
    },
  },
  required: ['data'],
};

function serviceOperation(
  operationId: string,
  text: { summary: string; description: string },
  responses: OperationObject['responses'],
): OperationObject {
  return { operationId, ...text, tags: ['Service'], security: [], responses };
}

const servicePaths: Record<string, PathItem> = {
  '/healthz': {
    get: serviceOperation(
      'serviceHealth',
      { summary: 'Is the process alive', description: 'Returns 200 while the process runs.' },
      { 200: answered('It is.', jsonOf(status, { data: { status: 'ok' } })) },
    ),
  },
  '/readyz': {
    get: serviceOperation(
      'serviceReadiness',
      {
        summary: 'Is the service ready',
        description:
          'Checks that the database is reachable, its migrations are applied, the job queue works and the process is not stopping. A failing part is named.',
      },
      {
        200: answered('It is.', jsonOf(readiness, { data: { status: 'ready', checks } })),
        ...failureResponses(['service_unavailable']),
      },
    ),
  },
  '/metrics': {
    get: serviceOperation(
      'serviceMetrics',
      {
        summary: 'Read the metrics',
        description:
          'Metrics of the process in Prometheus format. Requires the bearer token `METRICS_TOKEN`; 404 when it is not set.',
      },
      {
        200: answered('The metrics.', {
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
    get: serviceOperation(
      'serviceDescription',
      { summary: 'Read this document', description: 'The OpenAPI document of the service.' },
      { 200: answered('The document.', jsonOf({ type: 'object' }, { openapi: '3.1.0' })) },
    ),
  },
};

/** Schemas that {@link rawPaths} points to. */
export const rawSchemas: Record<string, SchemaObject> = { RpcMessage: rpcMessage };

/** Paths that no contract describes: GraphQL, agents and the process itself. */
export const rawPaths: Record<string, PathItem> = {
  '/api/graphql/{slug}': graphqlPath,
  '/api/mcp/{projectSlug}': agentsPath,
  ...servicePaths,
};
