import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { useOwnApp } from '../../support/desk.js';
import { sampled } from '../../support/extent.js';
import { createPage } from '../../support/factories/tree.js';
import { SiteMirror } from '../../support/site-mirror.js';
import { verifies } from '../../support/verifies.js';
import { entryItem, ReleaseDesk } from './release-desk.js';

const app = useOwnApp();
const RELEASES = sampled(5, 200);
/** More than the index takes of single changes in one transaction. */
const PAGES = 30;
/** Of each reader in each of the two states of a release. */
const READS = 2;
const ROUND_MS = 30_000;

let scene: ReleaseDesk;
let ids: readonly string[];

beforeAll(async () => {
  scene = await ReleaseDesk.open(app());
  const pages = [];
  for (let index = 0; index < PAGES; index += 1) {
    const page = await createPage(app(), scene.desk.project, { slug: `page-${String(index)}-r0` });
    await scene.edit(page, { fields: { title: 'Harbour r0' } });
    await scene.publishEntry(page);
    pages.push(page.id);
  }
  ids = pages;
  await app().composition.jobs.indexSearch();
});

/** The number of the release that a title or path is of; 0 is what was live before. */
const roundIn = (text: unknown): number => Number(/\br(\d+)$/.exec(String(text))?.[1] ?? -1);

async function read<T>(path: string): Promise<T> {
  const { project } = scene.desk;
  const { status, body, text } = await send(app(), { method: 'GET', path: `${project.delivery}${path}` });
  if (status !== 200) throw new Error(`${path}: ${String(status)} ${text}`);
  return (body as { data: T }).data;
}

interface Page {
  readonly fields: { readonly title: string };
}

const rounds = (texts: readonly unknown[]): readonly number[] => [...new Set(texts.map(roundIn))];

const listed = async () =>
  rounds((await read<Page[]>('/content/page?limit=100')).map(({ fields }) => fields.title));

const inSitemap = async () =>
  rounds((await read<{ path: string }[]>('/sitemap?format=json')).map(({ path }) => path));

async function found() {
  const hits = await read<{ title: string; entry: Page }[]>('/search?q=harbour&limit=50');
  return [...rounds(hits.map(({ title }) => title)), ...rounds(hits.map(({ entry }) => entry.fields.title))];
}

async function inGraphql() {
  const { slug, keys } = scene.desk.project;
  const query = '{ pageCollection(limit: 100) { items { title } } }';
  const { body } = await send(app(), {
    method: 'POST',
    path: `/api/graphql/${slug}`,
    key: keys.delivery,
    body: { query },
  });
  const { data } = body as { data: { pageCollection: { items: { title: string }[] } } };
  return rounds(data.pageCollection.items.map(({ title }) => title));
}

/** What a client has that only follows changes, whenever it has read all of them. */
function synced() {
  const mirror = new SiteMirror(app(), scene.desk.project);
  return async () => {
    await mirror.follow();
    const entries = [...mirror.documents].filter(([key]) => key.startsWith('entry '));
    return rounds(entries.map(([, document]) => (document as Page).fields.title));
  };
}

const entryRound = async (index: number) =>
  roundIn((await read<Page>(`/entries/${ids[index] ?? ''}`)).fields.title);

/** Where the address of the page before any release leads. */
async function routeRound(index: number): Promise<number> {
  const { entry, target } = await read<{ entry?: Page; target?: string }>(
    `/routes?path=/page-${String(index)}-r0`,
  );
  return roundIn(entry?.fields.title ?? target);
}

/** One page before and after another: equal rounds of a release mean that the other was in it as well. */
async function between(roundOf: (index: number) => Promise<number>): Promise<readonly number[]> {
  const [first, other, again] = [await roundOf(0), await roundOf(PAGES - 1), await roundOf(0)];
  return first === again && first > 0 ? [first, other] : [first];
}

const readers: Readonly<Record<string, () => Promise<readonly number[]>>> = {
  list: listed,
  sitemap: inSitemap,
  graphql: inGraphql,
  entries: () => between(entryRound),
  routes: () => between(routeRound),
};

interface Seen {
  readonly reads: number;
  /** Releases that it saw, without what was live before. */
  readonly releases: ReadonlySet<number>;
  readonly mixed: readonly (readonly number[])[];
}

/** Reads until the writer is done. */
async function watch(one: () => Promise<readonly number[]>, isOver: () => boolean): Promise<Seen> {
  const releases = new Set<number>();
  const mixed: (readonly number[])[] = [];
  let reads = 0;
  while (!isOver()) {
    const states = await one();
    reads += 1;
    if (new Set(states).size > 1 || states.some((state) => state < 0)) mixed.push(states);
    for (const state of states) if (state > 0) releases.add(state);
  }
  return { reads, releases, mixed };
}

interface Reading {
  /** Of the reader with the fewest. */
  reads(): number;
  /** Whether a reader has failed, which ends the test. */
  isBroken(): boolean;
}

/** Publishes and rolls back releases that change the title and address of every page. */
async function write({ reads, isBroken }: Reading): Promise<void> {
  const readOn = async (): Promise<void> => {
    const enough = reads() + READS;
    while (reads() < enough && !isBroken()) await new Promise((resolve) => setImmediate(resolve));
    await app().composition.jobs.indexSearch();
  };
  for (let round = 1; round <= RELEASES && !isBroken(); round += 1) {
    for (const [index, id] of ids.entries())
      await scene.edit(
        { id },
        { slug: `page-${String(index)}-r${String(round)}`, fields: { title: `Harbour r${String(round)}` } },
      );
    const { id } = await scene.release(ids.map((entry) => entryItem({ id: entry })));
    await scene.published(id);
    await readOn();
    expect((await scene.rollback(id)).status).toBe(200);
    await readOn();
  }
}

describe('readers, while releases are published and rolled back', () => {
  verifies('publication/release-publish', 'publication/release-rollback');

  it(
    'see each release whole or not at all',
    async () => {
      let isOver = false;
      const counts = new Map<string, number>();
      const least = () => Math.min(...Object.keys(readers).map((name) => counts.get(name) ?? 0));
      const counted = (name: string, one: () => Promise<readonly number[]>) => async () => {
        const states = await one();
        counts.set(name, (counts.get(name) ?? 0) + 1);
        return states;
      };
      const all = { ...readers, search: found, sync: synced() };
      let isBroken = false;
      const watching = Promise.all(
        Object.entries(all).map(
          async ([name, one]) => [name, await watch(counted(name, one), () => isOver)] as const,
        ),
      );
      watching.catch(() => {
        isBroken = true;
      });
      try {
        await write({ reads: least, isBroken: () => isBroken });
      } finally {
        isOver = true;
      }
      for (const [name, { mixed, releases }] of await watching) {
        expect([name, mixed]).toEqual([name, []]);
        // Search follows its index and a mirror the changes: both may pass over a release.
        if (name in readers) expect([name, releases.size]).toEqual([name, RELEASES]);
      }
    },
    RELEASES * ROUND_MS,
  );
});
