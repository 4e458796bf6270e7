import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../src/infrastructure/postgres/postgres-server.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { Desk } from '../support/desk.js';
import { createArticleTypes, createEntry, createType, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { hasVarnish, serverPath } from '../support/optional-servers.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

/** A code block of the page for operators, as it would be copied. */
async function recipe(language: string): Promise<string> {
  const page = await readFile('src/process/README.md', 'utf8');
  const found = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1];
  if (found === undefined) throw new Error(`The page has no block of ${language}.`);
  return found;
}

interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A server in front of the service. */
interface Front {
  get(url: string, headers?: http.OutgoingHttpHeaders): Promise<Got>;
  stop(): Promise<void>;
}

async function get(port: number, url: string, headers: http.OutgoingHttpHeaders = {}): Promise<Got> {
  const request = http.get({ port, path: url, headers, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

async function front(child: ChildProcess, port: number, folder: string): Promise<Front> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await waitFor('the cache listens', async () => {
    if (child.exitCode !== null) throw new Error(`The cache ended: ${output}`);
    return get(port, '/readyz').then(
      () => true,
      () => false,
    );
  });
  return {
    get: (url, headers) => get(port, url, headers),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startVarnish(port: number, servicePort: string): Promise<Front> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwater-varnish-'));
  const file = path.join(folder, 'headwater.vcl');
  await writeFile(file, (await recipe('vcl')).replace('"4000"', `"${servicePort}"`));
  const child = spawn(serverPath('VARNISH'), [
    ...['-F', '-j', 'none', '-n', folder, '-f', file, '-a', `127.0.0.1:${String(port)}`, '-s', 'malloc,64m'],
    ...['-p', 'http_resp_hdr_len=16k'],
  ]);
  return front(child, port, folder);
}

let app: TestApp;
let project: TestProject;
let desk: Desk;
let varnishPort: number;
let servicePort: string;

const list = (type: string): string => `${project.delivery}/content/${type}`;
const entry = (id: string): string => `${project.delivery}/entries/${id}`;
const newEntry = async (type: string, title: string): Promise<string> => {
  const { id } = await createEntry(app, project, { contentTypeApiName: type, fields: { title } });
  await publish(app, project, id);
  return id;
};

beforeAll(async () => {
  varnishPort = await freePort();
  app = await startTestApp({
    edge: { kind: 'varnish', urls: [`http://127.0.0.1:${String(varnishPort)}`], target: '' },
  });
  servicePort = new URL(app.baseUrl).port;
  await app.composition.jobs.purgeEdge();
  project = await createProject(app);
  desk = new Desk(app, project);
  await createArticleTypes(app, project);
  await createType(app, project, { apiName: 'note', fields: [{ apiName: 'title', type: 'text' }] });
});

afterAll(() => app.close());

(hasVarnish ? describe : describe.skip)(
  'Varnish with the recipe of the page (needs varnishd with xkey)',
  () => {
    verifies('delivery/caching-purges');
    let varnish: Front;

    beforeAll(async () => {
      varnish = await startVarnish(varnishPort, servicePort);
    });
    afterAll(() => varnish.stop());

    /** Whether it came from the cache. */
    const isKept = ({ headers }: Got): boolean =>
      Number(String(headers.age)) >= 0 && String(headers['x-varnish']).includes(' ');

    it('keeps what is published, and drops what changed and nothing else', async () => {
      const [article, note] = [await newEntry('article', 'Before'), await newEntry('note', 'Other')];
      await app.composition.jobs.purgeEdge();
      const urls = [entry(article), list('article'), entry(note), list('note')];
      for (const url of urls) expect((await varnish.get(url)).status).toBe(200);
      expect((await Promise.all(urls.map((url) => varnish.get(url)))).map(isKept)).toEqual([
        true,
        true,
        true,
        true,
      ]);
      await desk.put(`/entries/${article}`, { version: 1, fields: { title: 'After' } });
      await app.composition.jobs.purgeEdge();
      expect((await Promise.all(urls.map((url) => varnish.get(url)))).map(isKept)).toEqual([
        true,
        true,
        true,
        true,
      ]);
      await publish(app, project, article);
      await app.composition.jobs.purgeEdge();
      const got = await Promise.all(urls.map((url) => varnish.get(url)));
      expect(got.map(isKept)).toEqual([false, false, true, true]);
      expect(got[0]?.body).toContain('After');
      expect(got[1]?.body).toContain('After');
    });

    it('drops the answer of a path that had no page when one appears there', async () => {
      await createType(app, project, {
        apiName: 'page',
        isPage: true,
        fields: [{ apiName: 'title', type: 'text' }],
      });
      await app.composition.jobs.purgeEdge();
      const url = `${project.delivery}/routes?path=/ferry`;
      expect((await varnish.get(url)).status).toBe(404);
      expect(isKept(await varnish.get(url))).toBe(true);
      const { id } = await createEntry(app, project, {
        contentTypeApiName: 'page',
        slug: 'ferry',
        fields: { title: 'Ferry' },
      });
      await publish(app, project, id);
      await app.composition.jobs.purgeEdge();
      expect((await varnish.get(url)).status).toBe(200);
    });

    it('keeps nothing for management keys and previews, and passes a response of 8 KB of keys on', async () => {
      const id = await newEntry('note', 'Private');
      const authorization = `Bearer ${project.keys.management}`;
      const url = `${project.management}/entries/${id}`;
      for (let turn = 0; turn < 2; turn += 1) {
        const got = await varnish.get(url, { authorization });
        expect(got.status).toBe(200);
        expect(isKept(got)).toBe(false);
      }
      await varnish.get(entry(id));
      await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Draft' } });
      const made = await desk.post('/preview-sessions', { siteId: project.siteId });
      const { token } = (made.body as { data: { token: string } }).data;
      for (const headers of [{ 'X-Preview-Token': token }, { Cookie: `headwater_preview=${token}` }])
        expect((await varnish.get(entry(id), headers)).body).toContain('Draft');
      await Promise.all(Array.from({ length: 99 }, (_, number) => newEntry('note', `N ${String(number)}`)));
      const many = await varnish.get(`${list('note')}?limit=100`);
      expect(many.status).toBe(200);
      expect(String(many.headers['surrogate-key']).length).toBeGreaterThan(4096);
    });
  },
);
