import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const { HEADWATER_URL, HEADWATER_PROJECT = '', HEADWATER_KEY = '' } = process.env;
const [, , query = '', find = '', replace = ''] = process.argv;

interface Result<Data> {
  readonly data: Data;
  readonly error?: string;
  readonly message?: string;
  readonly details?: { readonly confirmToken: string; readonly preview: { readonly changes: object[] } };
}

const agent = new Client({ name: 'example-agent', version: '1.0.0' });
const terminal = createInterface({ input: process.stdin, output: process.stdout });

async function use<Data>(name: string, args: Record<string, unknown>): Promise<Data | undefined> {
  const { structuredContent } = await agent.callTool({ name, arguments: args });
  const { data, error, message, details } = structuredContent as unknown as Result<Data>;
  if (error === undefined) return data;
  if (error !== 'confirmation_required' || details === undefined)
    throw new Error(`${name}: ${message ?? error}`);
  console.log(`${name} changes:\n${JSON.stringify(details.preview.changes, null, 2)}`);
  if ((await terminal.question('Do it? ')) !== 'yes') return undefined;
  return use<Data>(name, { ...args, confirmToken: details.confirmToken });
}

const address = new URL(`/api/mcp/${HEADWATER_PROJECT}?toolsets=content,editorial`, HEADWATER_URL);
const headers = { authorization: `Bearer ${HEADWATER_KEY}` };
await agent.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));

const wanted = { query, contentTypeApiName: 'article', status: 'draft' };
const [entry, ...others] = (await use<{ id: string; title: string }[]>('search_content', wanted)) ?? [];
if (entry === undefined) throw new Error('No draft has these words.');
const read = await use<{ version: number }>('get_entry', { id: entry.id });
await use('edit_text', { id: entry.id, version: read?.version, field: 'summary', find, replace });
await use('transition_workflow', { id: entry.id, to: 'in_review', comment: 'Edited by the agent' });
console.log(`${entry.title}: submitted for review.`);

for (const { id, title } of others) {
  const deleted = await use('delete_entry', { id });
  console.log(deleted === undefined ? `${title}: kept.` : `${title}: deleted.`);
}
terminal.close();
await agent.close();
