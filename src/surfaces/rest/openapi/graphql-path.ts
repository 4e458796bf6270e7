import type { ErrorCode } from '../../../../contracts/error-codes.js';
import { bodyFailures, failureResponses, serverFailures } from './failures.js';
import { headers, type OperationObject, type PathItem, type SchemaObject } from './types.js';
import { responseOf, accessFailures, jsonOf, keyRequired, projectParameter } from './parts.js';

const graphqlRequest: SchemaObject = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'GraphQL document.' },
    variables: { type: ['object', 'null'], description: 'Values of the variables.' },
    operationName: { type: ['string', 'null'], description: 'Name of the operation to run.' },
    extensions: {
      type: ['object', 'null'],
      description:
        '`persistedQuery` {version: 1, sha256Hash}: with `query`, stores the query; without it, runs the stored query.',
    },
  },
};

const graphqlResult: SchemaObject = {
  type: 'object',
  properties: {
    data: { type: ['object', 'null'] },
    errors: { type: 'array', items: { type: 'object' } },
    extensions: { type: 'object' },
  },
};

const graphqlFailures: ErrorCode[] = [
  'graphql_parse_failed',
  'graphql_validation_failed',
  'graphql_request_invalid',
  'query_depth_exceeded',
  'query_complexity_exceeded',
  'introspection_disabled',
  'preview_not_allowed',
  'persisted_query_not_found',
];

const graphqlOperation: OperationObject = {
  operationId: 'graphqlQuery',
  summary: 'Run a GraphQL query',
  description:
    'Runs a query against the schema generated from the content types of the project. Errors before execution have `errors` in addition to the failure envelope.',
  tags: ['GraphQL'],
  security: keyRequired,
  parameters: [projectParameter('slug')],
  requestBody: {
    required: true,
    content: jsonOf(graphqlRequest, {
      query: 'query ($id: ID!) { entry(id: $id) { _id } }',
      variables: { id: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69' },
    }),
  },
  responses: {
    200: {
      ...responseOf('The result of the query.', jsonOf(graphqlResult, { data: { entry: null } })),
      headers: headers('X-Request-Id', 'Cache-Control', 'Surrogate-Key', 'X-Service-Data-Region'),
    },
    ...failureResponses([...bodyFailures, ...graphqlFailures, ...accessFailures, ...serverFailures]),
  },
};

/** `POST /api/graphql/{slug}` (rule graphql/endpoint). */
export const graphqlPath: PathItem = { post: graphqlOperation };
