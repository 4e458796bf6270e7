import type { ErrorCode } from '../../../../contracts/error-codes.js';
import { failureResponses, serverFailures } from './failures.js';
import { responseOf, accessFailures, jsonOf, keyRequired, projectParameter } from './parts.js';
import type { OperationObject, PathItem, SchemaObject } from './types.js';

export const rpcMessage: SchemaObject = {
  type: 'object',
  description: 'A JSON-RPC 2.0 message, or a batch of them.',
  properties: {
    jsonrpc: { type: 'string', const: '2.0' },
    id: { type: ['string', 'integer', 'null'] },
    method: { type: 'string' },
    params: { type: 'object' },
    result: { type: 'object' },
    error: { type: 'object' },
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
        ...failureResponses(agentFailures),
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
          { type: ['object', 'array'] },
          { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
        ),
      },
      responses: {
        ...failureResponses([...agentFailures, 'payload_too_large', 'unsupported_media_type']),
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
