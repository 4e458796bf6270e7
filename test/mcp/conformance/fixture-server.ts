import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type GetPromptResult,
} from '@modelcontextprotocol/sdk/types.js';
import { RpcFailure, rpcCodes } from '../../../src/surfaces/mcp/tools.js';
import { fixtureTools, png } from './fixture-tools.js';

type Prompt = (values: Readonly<Record<string, string>>) => GetPromptResult['messages'];

const userMessage = (text: string) => ({ role: 'user', content: { type: 'text', text } }) as const;

const prompts: Readonly<Record<string, { readonly arguments: readonly string[]; readonly make: Prompt }>> = {
  test_simple_prompt: { arguments: [], make: () => [userMessage('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    make: ({ arg1 = '', arg2 = '' }) => [
      userMessage(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
    ],
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    make: ({ resourceUri: uri = '' }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
      },
      userMessage('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: {
    arguments: [],
    make: () => [
      { role: 'user', content: { type: 'image', data: png, mimeType: 'image/png' } },
      userMessage('Please analyze the image above.'),
    ],
  },
};

const staticText = {
  uri: 'test://static-text',
  mimeType: 'text/plain',
  text: 'This is the content of the static text resource.',
};
const staticBinary = { uri: 'test://static-binary', mimeType: 'image/png', blob: png };

function contentOf(uri: string) {
  const known = [staticText, staticBinary].find((resource) => resource.uri === uri);
  if (known !== undefined) return known;
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined)
    throw new RpcFailure(rpcCodes.resourceNotFound, 'There is no such resource.', { uri });
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { uri, mimeType: 'application/json', text };
}

function serveTools(server: Server): void {
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(fixtureTools).map(([name, { description, inputSchema }]) => ({
      name,
      description,
      inputSchema: inputSchema ?? { type: 'object', properties: {} },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification, requestId }) => {
    const tool = fixtureTools[params.name];
    if (tool === undefined) throw new RpcFailure(rpcCodes.invalidParams, `Unknown tool: ${params.name}`);
    return tool.run({
      server,
      values: params.arguments ?? {},
      progressToken: params._meta?.progressToken,
      notify: sendNotification,
      requestId,
    });
  });
}

function servePrompts(server: Server): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: Object.entries(prompts).map(([name, prompt]) => ({
      name,
      description: `The prompt ${name}.`,
      arguments: prompt.arguments.map((argument) => ({
        name: argument,
        description: `The argument ${argument}.`,
        required: true,
      })),
    })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = prompts[params.name];
    if (prompt === undefined) throw new RpcFailure(rpcCodes.invalidParams, `Unknown prompt: ${params.name}`);
    return { messages: prompt.make(params.arguments ?? {}) };
  });
  server.setRequestHandler(CompleteRequestSchema, () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

function serveResources(server: Server): void {
  const subscribed = new Set<string>();
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [staticText, staticBinary].map(({ uri, mimeType }) => ({
      uri,
      name: uri.slice('test://'.length),
      description: 'A resource that never changes.',
      mimeType,
    })),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      { uriTemplate: 'test://template/{id}/data', name: 'template', description: 'By id.' },
    ],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({
    contents: [contentOf(params.uri)],
  }));
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
}

/** A server with everything the conformance suite requests; used only in tests. */
export function fixtureServer(): Server {
  const server = new Server(
    { name: 'fixture', version: '1' },
    {
      capabilities: { tools: {}, prompts: {}, completions: {}, logging: {}, resources: { subscribe: true } },
    },
  );
  server.setRequestHandler(SetLevelRequestSchema, () => ({}));
  serveTools(server);
  servePrompts(server);
  serveResources(server);
  return server;
}
