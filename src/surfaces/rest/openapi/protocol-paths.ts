import type { ErrorCode } from '../../../../contracts/error-codes.js';
import {
  headers,
  type MediaType,
  type ParameterObject,
  type ResponseObject,
  type SchemaObject,
  type OperationObject,
  type PathItem,
} from './types.js';
import { inputSchema } from './schema-forms.js';
import { bodyFailures, keyFailureResponses, serverFailures } from './failures.js';

export const responseOf = (description: string, content?: Record<string, MediaType>): ResponseObject => ({
  description,
  headers: headers('X-Request-Id'),
  ...(content && { content }),
});

export const jsonOf = (schema: SchemaObject, example: unknown): Record<string, MediaType> => ({
  'application/json': { schema: inputSchema(schema), example },
});

const projectParameter = (name: string): ParameterObject => ({
  name,
  in: 'path',
  required: true,
  description: 'Slug of the project.',
  schema: { type: 'string' },
  example: 'demo',
});

const keyRequired = [{ apiKey: [] }];
/** Failures of endpoints that accept API keys only. */
const accessFailures: ErrorCode[] = [
  'unauthorized',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'wrong_project',
  'environment_not_allowed',
  'tenant_inactive',
];

/** Generators of clients read no type that is a list with objects. */
const objectOrNull: SchemaObject[] = [{ type: 'object' }, { type: 'null' }];

const graphqlRequest: SchemaObject = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'GraphQL document.' },
    variables: { anyOf: objectOrNull, description: 'Values of the variables.' },
    operationName: { type: ['string', 'null'], description: 'Name of the operation to run.' },
    extensions: {
      anyOf: objectOrNull,
      description:
        '`persistedQuery` {version: 1, sha256Hash}: with `query`, stores the query; without it, runs the stored query.',
    },
  },
};

const graphqlResult: SchemaObject = {
  type: 'object',
  properties: {
    data: { anyOf: objectOrNull, description: 'Values by name of the root field.' },
    errors: {
      type: 'array',
      items: { type: 'object' },
      description: 'Errors of fields, or why nothing ran.',
    },
    extensions: { type: 'object', description: 'Additions that the request asked for.' },
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
];

const sourceMaps: ParameterObject = {
  name: 'contentSourceMaps',
  in: 'query',
  description:
    'For previews: say which field each value is of. `json` adds `extensions.contentSourceMaps`, by JSON pointer into `data`; `stega` hides it in strings that people read.',
  schema: { type: 'string', enum: ['json', 'stega'] },
  example: 'json',
};

const textParameter = (name: string, description: string, example: string): ParameterObject => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
  example,
});

const graphqlOperation: OperationObject = {
  operationId: 'graphqlQuery',
  summary: 'Run a GraphQL query',
  description:
    'Runs a query against the schema generated from the content types of the project. Errors before execution have `errors` in addition to the failure envelope.',
  tags: ['GraphQL'],
  security: keyRequired,
  parameters: [projectParameter('slug'), sourceMaps],
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
    ...keyFailureResponses([...bodyFailures, ...graphqlFailures, ...accessFailures, ...serverFailures]),
  },
};

const { requestBody: _body, ...inUrl } = graphqlOperation;

/** `/api/graphql/{slug}` (rule graphql/endpoint). OpenAPI 3.1 has no place for `QUERY`. */
export const graphqlPath: PathItem = {
  get: {
    ...inUrl,
    operationId: 'graphqlQueryInUrl',
    summary: 'Run a GraphQL query in the URL',
    description:
      'Returns what the same query over POST returns. Published results have an `ETag`, for shared caches.',
    parameters: [
      projectParameter('slug'),
      textParameter(
        'query',
        'GraphQL document. May be absent with the hash of a stored query.',
        '{ __typename }',
      ),
      textParameter('variables', 'Values of the variables, as a JSON object.', '{}'),
      textParameter('operationName', 'Name of the operation to run.', 'Articles'),
      textParameter('extensions', '`persistedQuery` {version: 1, sha256Hash}, as a JSON object.', '{}'),
      sourceMaps,
    ],
  },
  post: graphqlOperation,
};

/** The schema of a project (rule graphql/introspection). */
export const graphqlSdlPath: PathItem = {
  get: {
    operationId: 'graphqlSchema',
    summary: 'Read the GraphQL schema',
    description:
      'The schema as SDL, sorted by name. `@semanticNonNull` marks fields that published entries have.',
    tags: ['GraphQL'],
    security: keyRequired,
    parameters: [projectParameter('slug')],
    responses: {
      200: responseOf('The schema.', {
        'text/plain': {
          schema: { type: 'string' },
          example: 'type Query {\n  entry(id: ID!): ContentEntry\n}\n',
        },
      }),
      ...keyFailureResponses(['introspection_disabled', ...accessFailures, ...serverFailures]),
    },
  },
};

export const rpcMessage: SchemaObject = {
  type: 'object',
  description: 'A JSON-RPC 2.0 message.',
  properties: {
    jsonrpc: { type: 'string', const: '2.0', description: 'Version of JSON-RPC.' },
    id: { type: ['string', 'integer', 'null'], description: 'Id of the request. Absent in notifications.' },
    method: { type: 'string', description: 'Name of the method.' },
    params: { type: 'object', description: 'Parameters of the method.' },
    result: { type: 'object', description: 'Result of the method.' },
    error: { type: 'object', description: 'Code and message of the failure.' },
  },
  required: ['jsonrpc'],
};

const agentFailures: ErrorCode[] = [
  ...accessFailures,
  'wrong_key_type',
  'origin_not_allowed',
  'not_acceptable',
  ...serverFailures,
];

const agentOperation = (
  operationId: string,
  { summary, description }: { summary: string; description: string },
  rest: Pick<OperationObject, 'responses' | 'requestBody'>,
): OperationObject => ({
  operationId,
  summary,
  description,
  tags: ['Agents'],
  security: keyRequired,
  parameters: [projectParameter('projectSlug')],
  ...rest,
});

/** `/api/mcp/{projectSlug}` (rule mcp/transport). */
export const agentsPath: PathItem = {
  get: agentOperation(
    'agentsListen',
    {
      summary: 'Stream changes',
      description: 'Streams list-changed notifications. Requires `Accept: text/event-stream`.',
    },
    {
      responses: {
        200: responseOf('The event stream.', {
          'text/event-stream': { schema: { type: 'string' }, example: ': ping\n\n' },
        }),
        ...keyFailureResponses(agentFailures),
      },
    },
  ),
  post: agentOperation(
    'agentsCall',
    {
      summary: 'Call a tool',
      description:
        'Streamable HTTP of the Model Context Protocol, stateless. Accepts management and preview keys.',
    },
    {
      requestBody: {
        required: true,
        content: jsonOf(
          { $ref: '#/components/schemas/RpcMessage' },
          { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
        ),
      },
      responses: {
        ...keyFailureResponses([...agentFailures, 'payload_too_large', 'unsupported_media_type']),
        200: responseOf(
          'The response.',
          jsonOf(
            { $ref: '#/components/schemas/RpcMessage' },
            { jsonrpc: '2.0', id: 1, result: { tools: [] } },
          ),
        ),
        202: responseOf('The notification was accepted.'),
        400: responseOf(
          'The body is not valid JSON (−32700) or not a JSON-RPC message (−32600).',
          jsonOf(
            { $ref: '#/components/schemas/RpcMessage' },
            {
              jsonrpc: '2.0',
              id: null,
              error: { code: -32700, message: 'Parse error: the body is not valid JSON.' },
            },
          ),
        ),
      },
    },
  ),
};
