import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { CallToolResult, ServerNotification, Tool } from '@modelcontextprotocol/sdk/types.js';

/** One red pixel. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
/** A WAV header without samples. */
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

interface ToolRun {
  readonly server: Server;
  readonly values: Readonly<Record<string, unknown>>;
  readonly progressToken: string | number | undefined;
  /** Sends on the event stream of this call. */
  notify(notification: ServerNotification): Promise<void>;
  /** The id of this call; requests to the client use it to find the stream. */
  readonly requestId: string | number;
}

interface FixtureTool {
  readonly description: string;
  readonly inputSchema?: Tool['inputSchema'];
  run(call: ToolRun): Promise<CallToolResult> | CallToolResult;
}

const text = (...lines: string[]): CallToolResult => ({
  content: lines.map((line) => ({ type: 'text', text: line })),
});
const image = { type: 'image', data: png, mimeType: 'image/png' } as const;

/** Elicits input from the client's user through a form. */
async function ask({ server, requestId }: ToolRun, message: string, properties: object): Promise<string> {
  const requestedSchema = { type: 'object', properties, required: [] as string[] } as never;
  const { action, content } = await server.elicitInput(
    { message, requestedSchema },
    { relatedRequestId: requestId },
  );
  return `action=${action}, content=${JSON.stringify(content ?? {})}`;
}

const titled = (...values: [string, string][]) => values.map(([value, title]) => ({ const: value, title }));
const options = ['option1', 'option2', 'option3'];

/** The tools called by the conformance suite, by name. */
export const fixtureTools: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: {
    description: 'Answers a text.',
    run: () => text('This is a simple text response for testing.'),
  },
  test_image_content: { description: 'Answers an image.', run: () => ({ content: [image] }) },
  test_audio_content: {
    description: 'Answers a sound.',
    run: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  },
  test_embedded_resource: {
    description: 'Answers a resource.',
    run: () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    }),
  },
  test_multiple_content_types: {
    description: 'Answers a text, an image and a resource.',
    run: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: JSON.stringify({ test: 'data', value: 123 }),
          },
        },
      ],
    }),
  },
  test_tool_with_logging: {
    description: 'Logs while it runs.',
    run: async ({ notify }) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await notify({ method: 'notifications/message', params: { level: 'info', data } });
        await delay(50);
      }
      return text('Logged three times.');
    },
  },
  test_error_handling: {
    description: 'Fails.',
    run: () => ({ isError: true, ...text('This tool intentionally returns an error for testing') }),
  },
  test_tool_with_progress: {
    description: 'Tells how far it is.',
    run: async ({ notify, progressToken }) => {
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
        await delay(50);
      }
      return text('Done.');
    },
  },
  test_sampling: {
    description: "Asks the client's model.",
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    run: async ({ server, values, requestId }) => {
      const content = { type: 'text', text: String(values.prompt) } as const;
      const messages = [{ role: 'user', content }] as const;
      const answer = await server.createMessage(
        { messages: [...messages], maxTokens: 100 },
        { relatedRequestId: requestId },
      );
      return text(`LLM response: ${JSON.stringify(answer.content)}`);
    },
  },
  test_elicitation: {
    description: "Asks the client's user.",
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    run: async (call) => {
      const username = { type: 'string', description: "User's response" };
      const email = { type: 'string', description: "User's email address" };
      return text(`User response: ${await ask(call, String(call.values.message), { username, email })}`);
    },
  },
  test_elicitation_sep1034_defaults: {
    description: 'Asks with defaults.',
    run: async (call) => {
      const answer = await ask(call, 'Please review your data', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      });
      return text(`Elicitation completed: ${answer}`);
    },
  },
  test_elicitation_sep1330_enums: {
    description: 'Asks for choices.',
    run: async (call) => {
      const first = titled(
        ['value1', 'First Option'],
        ['value2', 'Second Option'],
        ['value3', 'Third Option'],
      );
      const choices = titled(
        ['value1', 'First Choice'],
        ['value2', 'Second Choice'],
        ['value3', 'Third Choice'],
      );
      const answer = await ask(call, 'Please choose', {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: first },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', items: { anyOf: choices } },
      });
      return text(`Elicitation completed: ${answer}`);
    },
  },
  json_schema_2020_12_tool: {
    description: 'Has a schema with every keyword of the draft that clients must be shown.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
    run: ({ values }) => text(JSON.stringify(values)),
  },
};
