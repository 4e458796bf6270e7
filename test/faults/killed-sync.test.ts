import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KillClient } from '../bench/kill/client.js';
import { Seeded } from '../bench/kill/seeded.js';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { sampled } from '../support/extent.js';
import { png } from '../support/factories/media.js';
import { createPageType } from '../support/factories/tree.js';
import { runCommand, ServiceProcess } from '../support/service-process.js';
import { deliveredDocuments } from '../support/site-mirror.js';
import { verifies } from '../support/verifies.js';

const STEPS = sampled(300, 10_000);
const KILLS = sampled(2, 40);
const WRITERS = 3;
const SEED = 20_261_127;
const HOUR_MS = 3_600_000;

const app = useOwnApp();
const client = new KillClient();
let desk: Desk;
let folder: string;

const start = async (): Promise<void> => {
  const settings = {
    RATE_LIMITS: '0',
    SHUTDOWN_DELAY_SECONDS: '0',
    HEADWATER_DATA_DIR: path.join(folder, 'data'),
  };
  client.service = await ServiceProcess.start(app().databaseUrl, settings);
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-killed-sync-'));
  desk = await openDesk(app());
  await createPageType(app(), desk.project);
  client.key = desk.project.keys.management;
  await start();
}, 240_000);

afterAll(async () => {
  await ServiceProcess.killAll();
  await rm(folder, { recursive: true, force: true });
});

/** What the writers have made, of which parts may be deleted or never have arrived. */
class Written {
  readonly entries: string[] = [];
  readonly pages: { id: string; nodeId: string }[] = [];
  readonly assets: string[] = [];
  readonly redirects: string[] = [];
  #count = 0;

  next(): string {
    this.#count += 1;
    return String(this.#count);
  }
}

/** Calls whose outcome does not matter: they may conflict with others, or be cut off. */
class Writer {
  constructor(
    private readonly random: Seeded,
    private readonly written: Written,
  ) {}

  async step(): Promise<void> {
    const { random } = this;
    const verbs = [
      () => this.#create(),
      () => this.#create(),
      () => this.#edit(),
      () => this.#edit(),
      () => this.#act(this.#entry(), 'unpublish', { locale: this.#locale() }),
      () => this.#call('DELETE', `/entries/${this.#entry()}`),
      () => this.#createPage(),
      () => this.#move(),
      () => this.#rename(),
      () => this.#upload(),
      () => this.#describe(),
      () => this.#call('DELETE', `/media/${this.#known(this.written.assets) ?? 'none'}?force=true`),
      () => this.#redirect(),
      () => this.#call('DELETE', `/redirects/${this.#known(this.written.redirects) ?? 'none'}`),
    ];
    await random.one(verbs)();
  }

  async #create(): Promise<void> {
    const title = `Article ${this.written.next()}`;
    const { siteId } = desk.project;
    const body = { contentTypeApiName: 'article', siteId, fields: { title } };
    const { id } = await this.#call<{ id?: string }>('POST', '/entries', body);
    if (id === undefined) return;
    this.written.entries.push(id);
    await this.#act(id, 'publish');
  }

  async #edit(): Promise<void> {
    const id = this.#entry();
    const locale = this.#locale();
    const { version } = await this.#call<{ version?: number }>('GET', `/entries/${id}`);
    const fields = { title: `Edit ${this.written.next()}` };
    await this.#call('PUT', `/entries/${id}`, { version, locale, fields });
    await this.#act(id, 'publish', { locale });
  }

  async #createPage(): Promise<void> {
    const slug = `page-${this.written.next()}`;
    const { siteId } = desk.project;
    const treeParentId = this.#known(this.written.pages)?.nodeId ?? null;
    const body = { contentTypeApiName: 'page', siteId, slug, treeParentId, fields: { title: slug } };
    const page = await this.#call<{ id?: string; treeNodeId?: string }>('POST', '/entries', body);
    if (page.id === undefined || page.treeNodeId === undefined) return;
    this.written.entries.push(page.id);
    this.written.pages.push({ id: page.id, nodeId: page.treeNodeId });
    await this.#act(page.id, 'publish');
  }

  async #move(): Promise<void> {
    const [page, parent] = [this.#known(this.written.pages), this.#known(this.written.pages)];
    await this.#call('POST', `/tree/nodes/${page?.nodeId ?? 'none'}/move`, {
      parentId: parent?.nodeId ?? null,
    });
  }

  async #rename(): Promise<void> {
    const id = this.#known(this.written.pages)?.id ?? 'none';
    const { version } = await this.#call<{ version?: number }>('GET', `/entries/${id}`);
    const locale = this.#locale();
    const change = { version, locale, slug: `path-${this.written.next()}`, fields: { title: 'Renamed' } };
    await this.#call('PUT', `/entries/${id}`, change);
    await this.#act(id, 'publish', { locale });
  }

  async #upload(): Promise<void> {
    const file = { fileName: `${this.written.next()}.png`, content: png().toString('base64') };
    const { id } = await this.#call<{ id?: string }>('POST', '/media/upload', { file });
    if (id !== undefined) this.written.assets.push(id);
  }

  async #describe(): Promise<void> {
    const [asset, other] = [this.#known(this.written.assets), this.#known(this.written.assets)];
    const overlay = {
      altText: `Text ${this.written.next()}`,
      overrideStorageKey: `asset:${other ?? 'none'}`,
    };
    await this.#call('PUT', `/media/${asset ?? 'none'}/locales/${this.#locale()}`, overlay);
  }

  async #redirect(): Promise<void> {
    const { siteId } = desk.project;
    const body = { siteId, source: `/old-${this.written.next()}`, target: '/new' };
    const { id } = await this.#call<{ id?: string }>('POST', '/redirects', body);
    if (id !== undefined) this.written.redirects.push(id);
  }

  #known<Item>(items: readonly Item[]): Item | undefined {
    return items.length === 0 ? undefined : this.random.one(items);
  }

  #entry(): string {
    return this.#known(this.written.entries) ?? 'none';
  }

  #locale(): string {
    return this.random.one(['en', 'de']);
  }

  #act(id: string, verb: string, body: object = {}): Promise<object> {
    return this.#call('POST', `/entries/${id}/${verb}`, body);
  }

  async #call<Data extends object = object>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    at: string,
    body?: object,
  ): Promise<Data> {
    const reply = await client.send({
      method,
      path: `${desk.project.management}${at}`,
      ...(body && { body }),
    });
    return (reply.kind === 'answered' && reply.status < 300 ? reply.data : {}) as Data;
  }
}

/** Starts the command against the service as it runs now. */
function startSync(): ChildProcess {
  const { slug, keys } = desk.project;
  const out = path.join(folder, 'content');
  const options = ['--project', slug, '--site', 'main', '--key', keys.delivery, '--out', out];
  const args = ['dist/headwater.js', 'sync', '--url', client.service?.url ?? '', ...options];
  return spawn(process.execPath, args, { stdio: 'ignore' });
}

/** Runs the command again and again, and kills it at random moments, first before it can end. */
async function syncUntil(random: Seeded, isDone: () => boolean): Promise<number> {
  let kills = 0;
  while (!isDone()) {
    const child = startSync();
    const ended = once(child, 'exit');
    const timer = setTimeout(
      () => {
        if (child.kill('SIGKILL')) kills += 1;
      },
      kills === 0 ? 50 : random.between(100, 1000),
    );
    await ended;
    clearTimeout(timer);
  }
  return kills;
}

const kinds = { entries: 'entry', assets: 'asset', routes: 'route', redirects: 'redirect' };

async function mirrored(): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const [name, kind] of Object.entries(kinds))
    for (const file of await readdir(path.join(folder, 'content', name))) {
      const text = await readFile(path.join(folder, 'content', name, file), 'utf8');
      found.set([kind, ...file.replace(/\.json$/, '').split('.')].join(' '), JSON.parse(text));
    }
  return found;
}

describe('A mirror that is kept only by syncs', () => {
  verifies('publication/sync', 'publication/sync-command');

  it(
    'equals delivery after random changes by several writers, kills of both sides and a rebuild',
    async () => {
      const written = new Written();
      let steps = 0;
      let kills = 0;
      let isUp = Promise.resolve();
      const restart = async (): Promise<void> => {
        await client.service?.kill('SIGKILL');
        await start();
      };
      const write = async (number: number): Promise<void> => {
        const writer = new Writer(new Seeded(SEED + number), written);
        while (steps < STEPS) {
          steps += 1;
          await writer.step();
          // The others are within a step when the service is killed.
          if (steps >= ((kills + 1) * STEPS) / (KILLS + 1) && kills < KILLS) {
            kills += 1;
            isUp = restart();
          }
          await isUp;
        }
      };
      const writers = Promise.all(Array.from({ length: WRITERS }, (_item, number) => write(number)));
      let isWritten = false;
      const done = writers.finally(() => {
        isWritten = true;
      });
      const [syncKills] = await Promise.all([
        syncUntil(new Seeded(SEED), () => isWritten),
        done,
        runCommand(app().databaseUrl, ['rebuild'], { HEADWATER_DATA_DIR: path.join(folder, 'rebuild') }),
      ]);
      expect(kills).toBe(KILLS);
      expect(syncKills).toBeGreaterThan(0);
      const last = startSync();
      expect(await once(last, 'exit')).toEqual([0, null]);
      const delivered = new Map(await deliveredDocuments(app(), desk.project));
      expect(delivered.size).toBeGreaterThan(STEPS / 10);
      const withoutHost = (documents: ReadonlyMap<string, unknown>) =>
        JSON.parse(
          JSON.stringify([...documents].sort(([one], [other]) => (one < other ? -1 : 1))).replaceAll(
            /https?:\/\/127\.0\.0\.1:\d+/g,
            '',
          ),
        ) as unknown;
      expect(withoutHost(await mirrored())).toEqual(withoutHost(delivered));
    },
    HOUR_MS,
  );
});
