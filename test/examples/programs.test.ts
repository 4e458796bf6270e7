import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createManagementClient, type ManagementClient } from '../../src/cli/client-package/index.js';
import { installClient, type InstalledClient } from '../cli/installed-client.js';
import { waitFor } from '../support/wait-for.js';
import { freePort } from './free-port.js';

const run = promisify(execFile);

let client: InstalledClient;
let manage: ManagementClient;

beforeAll(async () => {
  client = await installClient();
  manage = createManagementClient({ url: client.url, project: 'demo', key: client.keys.management });
  await cp(path.join(import.meta.dirname, 'programs'), client.folder, { recursive: true });
  for (const name of ['@types', '@modelcontextprotocol']) await client.link(name);
}, 240_000);
afterAll(() => client.close());

const settings = (key: string, url = client.url) => ({
  ...process.env,
  NODE_OPTIONS: '',
  HEADWATER_URL: url,
  HEADWATER_PROJECT: 'demo',
  HEADWATER_SITE: 'main',
  HEADWATER_KEY: key,
});

const compile = (file: string) => client.compile(file, '--skipLibCheck', '--types', 'node');

/** Two drafts of articles that search finds by their title. */
async function createDrafts(title: string): Promise<string[]> {
  const { data: sites } = await manage.sites.list();
  const siteId = sites.find(({ slug }) => slug === 'main')?.id ?? '';
  const draft = { siteId, contentTypeApiName: 'article', fields: { title, summary: 'Open until noon.' } };
  const made = [await manage.entries.create(draft), await manage.entries.create(draft)];
  await waitFor('search finds both', async () => {
    const { data } = await manage.search.find({ q: title });
    return data.filter((found) => found.title === title).length === 2;
  });
  return made.map(({ data }) => data.id);
}

describe('The example of an agent', () => {
  let key: string;

  /** Runs the agent, and gives it the answer that a person types. */
  async function runAgent(answer: string, ...words: string[]): Promise<string> {
    const agent = spawn(process.execPath, ['agent/agent.js', ...words], {
      cwd: client.folder,
      env: settings(key),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let printed = '';
    agent.stdout.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
      if (printed.endsWith('Do it? ')) agent.stdin.write(`${answer}\n`);
    });
    await once(agent, 'close');
    return printed;
  }

  beforeAll(async () => {
    expect(await compile('agent/agent.ts')).toBe('');
    const made = await manage.apiKeys.create({
      name: 'Agent',
      type: 'management',
      requireConfirmation: true,
    });
    key = made.data.secret;
  });

  it('edits a draft, submits it, and deletes another only after a yes', async () => {
    const ids = await createDrafts('Quokka of the lock');
    const refused = await runAgent('no', 'Quokka', 'noon', 'sunset');
    expect(refused).toContain('Quokka of the lock: submitted for review.');
    expect(refused).toMatch(/delete_entry changes:\n\[[^]*Do it\? Quokka of the lock: kept\.\n$/);
    const read = async () =>
      (await Promise.all(ids.map((id) => manage.entries.get({ id })))).map(({ data }) => data);
    const edited = (await read()).filter(({ fields }) => fields.summary === 'Open until sunset.');
    expect(edited).toHaveLength(1);
    const state = await manage.entries.getWorkflow({ id: edited[0]?.id ?? '' });
    expect(state.data).toMatchObject({ state: 'in_review' });

    const later = await createDrafts('Wombat of the weir');
    const confirmed = await runAgent('yes', 'Wombat', 'noon', 'dusk');
    expect(confirmed).toMatch(/Do it\? Wombat of the weir: deleted\.\n$/);
    const { data: left } = await manage.entries.list({ contentTypeApiName: ['article'], status: ['draft'] });
    expect(left.filter(({ id }) => later.includes(id)).map(({ fields }) => fields.summary)).toEqual([
      'Open until dusk.',
    ]);
  });
});

describe('The example of an admin page', () => {
  it('lists drafts and publishes them, but not for forms of other sites', async () => {
    expect(await compile('trpc-page/page.ts')).toBe('');
    const { data: sites } = await manage.sites.list();
    const fields = { title: 'Quokkas' };
    const siteId = sites[0]?.id ?? '';
    const { id } = (await manage.entries.create({ siteId, contentTypeApiName: 'topic', fields })).data;
    const PORT = await freePort();
    const env = { ...settings(client.keys.management), PORT };
    const server = spawn(process.execPath, ['trpc-page/page.js'], { cwd: client.folder, env });
    try {
      await once(server.stdout, 'data');
      const at = `http://127.0.0.1:${PORT}`;
      const textOf = async (request: Promise<Response>) => (await request).text();
      expect(await textOf(fetch(at))).toContain(
        `<li>topic quokkas\n<form method="post" action="/publish/${id}">`,
      );
      const post = (site: string) =>
        fetch(`${at}/publish/${id}`, { method: 'POST', headers: { 'sec-fetch-site': site } });
      expect((await post('cross-site')).status).toBe(403);
      expect((await manage.entries.get({ id })).data.status).toBe('draft');
      expect(await textOf(post('same-origin'))).toContain('quokkas is published.');
      expect((await manage.entries.get({ id })).data.status).toBe('published');
      expect(await textOf(fetch(at))).not.toContain(id);
    } finally {
      server.kill();
    }
  });
});

/** In front of the service: the first attempt of each request fails, that of an entry after it was created. */
async function openFaultyProxy(): Promise<{
  readonly url: string;
  readonly requests: string[];
  close(): void;
}> {
  const requests: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const name = `${method} ${url.split('?')[0] ?? ''}`;
    const isFirst = !requests.includes(name);
    const isCreation = name.endsWith('/entries') && method === 'POST';
    requests.push(name);
    const sent: Record<string, string> = { authorization: headers.authorization ?? '' };
    const key = headers['idempotency-key'];
    if (method === 'POST')
      Object.assign(sent, { 'idempotency-key': key, 'content-type': 'application/json' });
    const forward = () =>
      fetch(client.url + url, { method, headers: sent, ...(method === 'POST' && { body }) });
    const forwarded = !isFirst || isCreation ? await forward() : undefined;
    if (isFirst) response.writeHead(isCreation ? 503 : 429, { 'retry-after': '0' }).end('{}');
    else response.writeHead(forwarded?.status ?? 0).end(await forwarded?.text());
  };
  const server = http.createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}`, requests, close: () => server.close() };
}

const hasPython = spawnSync('python3', ['--version']).status === 0;
(hasPython ? describe : describe.skip)('The example in Python (needs python3)', () => {
  it('creates and publishes each topic once, also where attempts fail', async () => {
    const proxy = await openFaultyProxy();
    const python = async (key: string, ...titles: string[]) =>
      run('python3', ['python/topics.py', ...titles], { cwd: client.folder, env: settings(key, proxy.url) });
    try {
      const { stdout } = await python(client.keys.management, 'Herons', 'Otters');
      expect(stdout).toBe('Herons: published\nOtters: published\n');
      expect((await python(client.keys.management, 'Herons')).stdout).toBe('Herons: known\n');
      const topics = [];
      for await (const topic of manage.entries.list.all({ contentTypeApiName: ['topic'] }))
        topics.push(topic);
      const found = topics.filter(({ fields }) => ['Herons', 'Otters'].includes(String(fields.title)));
      expect(found.map(({ status }) => status)).toEqual(['published', 'published']);
      expect(proxy.requests.filter((name) => name === 'POST /api/v1/projects/demo/entries')).toHaveLength(3);
      await expect(python(client.keys.delivery, 'Newts')).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^GET \/entries\?.*: 40[13] /),
      });
    } finally {
      proxy.close();
    }
  });
});
