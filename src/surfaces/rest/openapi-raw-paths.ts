import { agentsPath, rpcMessage } from './openapi-agents-path.js';
import { failureResponses } from './openapi-failures.js';
import { graphqlPath } from './openapi-graphql-path.js';
import { answered, jsonOf } from './openapi-parts.js';
import type { OperationObject, PathItem, SchemaObject } from './openapi-types.js';

const status = {
  type: 'object',
  properties: { data: { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] } },
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
      { summary: 'Is the process alive', description: 'Answers as long as the process can answer anything.' },
      { 200: answered('It is.', jsonOf(status, { data: { status: 'ok' } })) },
    ),
  },
  '/readyz': {
    get: serviceOperation(
      'serviceReadiness',
      {
        summary: 'Is the service ready',
        description: 'Whether the database answers and the process is not about to end.',
      },
      {
        200: answered('It is.', jsonOf(status, { data: { status: 'ready' } })),
        ...failureResponses(['service_unavailable']),
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
