import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { toolsets } from '../../contracts/rights.js';
import type { TestApp } from '../support/app.js';
import { must } from '../support/call.js';
import type { TestProject } from '../support/factories/project.js';

export interface Reply {
  readonly isError?: boolean;
  readonly structuredContent: {
    readonly data?: Record<string, unknown> & Record<string, unknown>[];
    readonly error?: string;
    readonly message?: string;
    readonly dryRun?: true;
    readonly changes?: readonly Record<string, unknown>[];
    readonly details?: {
      readonly issues: { path: string[]; code: string; message: string }[];
      readonly siteId?: string;
      readonly confirmToken?: string;
      readonly expiresAt?: string;
      readonly preview?: { readonly data: object; readonly changes: readonly object[] };
    };
  };
}

/** Calls a tool through the SDK client. */
export const useTool = (client: Client, name: string, args: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: args }) as unknown as Promise<Reply>;

/** MCP clients of one project. */
export class Agents {
  readonly #clients: Client[] = [];

  constructor(
    private readonly app: TestApp,
    private readonly project: TestProject,
  ) {}

  /** @param chosen toolsets of the connection; all by default */
  async connect(key: string, chosen: readonly string[] = toolsets): Promise<Client> {
    const client = new Client({ name: 'agent', version: '1' });
    const url = new URL(`${this.app.baseUrl}/api/mcp/${this.project.slug}`);
    if (chosen.length > 0) url.searchParams.set('toolsets', chosen.join());
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    this.#clients.push(client);
    return client;
  }

  /** Creates a key and returns its secret. */
  async newKey(body: object): Promise<string> {
    const { management, keys } = this.project;
    const path = `${management}/api-keys`;
    const sent = { method: 'POST', path, key: keys.management, body: { name: 'Agent', ...body } } as const;
    return (await must<{ secret: string }>(this.app, sent)).secret;
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }
}
