import { describe, expect, it } from '@jest/globals';
import type { DifferenceCounts } from '../../../contracts/environments/environments/environment.js';
import type { Promotion } from '../../../contracts/deployment/promotions/promotion.js';
import { Desk, useApp } from '../../support/desk.js';
import { stateOf } from '../../support/environment-state.js';
import { branch } from '../../support/factories/branch.js';
import { createType, paragraphs } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const PAGES = 200;
const CHAPTERS = 10;
/** Requests sent at a time. */
const PARALLEL = 8;

interface Page {
  readonly id: string;
  readonly treeNodeId: string;
}

async function each(count: number, run: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await run(index);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

const dataOf = <T>({ status, body, text }: { status: number; body: unknown; text: string }): T => {
  if (status >= 300) throw new Error(text);
  return (body as { data: T }).data;
};

/** A handbook: pages in chapters of a tree, each with a summary and a body. */
async function createHandbook(project: TestProject, desk: Desk): Promise<Page[]> {
  await createType(app(), project, {
    apiName: 'page',
    isPage: true,
    fields: [
      { apiName: 'title', type: 'text', required: true },
      { apiName: 'summary', type: 'longText' },
      { apiName: 'body', type: 'richText' },
    ],
  });
  const create = async (index: number, treeParentId: string | null): Promise<Page> =>
    dataOf<Page>(
      await desk.post('/entries', {
        contentTypeApiName: 'page',
        siteId: project.siteId,
        slug: `page-${index}`,
        treeParentId,
        fields: { title: `Page ${index}`, summary: 'Short.', body: paragraphs(`Paragraph ${index}`) },
      }),
    );
  const pages: Page[] = [];
  for (let index = 0; index < CHAPTERS; index += 1) pages.push(await create(index, null));
  await each(PAGES - CHAPTERS, async (index) => {
    pages.push(await create(index + CHAPTERS, pages[index % CHAPTERS]?.treeNodeId ?? null));
  });
  const entryIds = pages.map(({ id }) => id);
  for (let start = 0; start < PAGES; start += 100)
    dataOf(
      await desk.post('/entries/bulk', { action: 'publish', entryIds: entryIds.slice(start, start + 100) }),
    );
  return pages;
}

describe('a redesign', () => {
  verifies('environments/promotion-merge', 'environments/rollback');

  it('renames the type and changes 200 pages beside editors, is promoted and rolled back', async () => {
    const project = await createProject(app(), { locales: ['en'] });
    const desk = new Desk(app(), project);
    const pages = await createHandbook(project, desk);
    const redesign = await branch({ app: app(), project });
    const there = desk.in(redesign);
    dataOf(await there.post('/content-types/page/rename', { apiName: 'chapter' }));
    await each(PAGES, async (index) => {
      const { id = '' } = pages[index] ?? {};
      dataOf(await there.put(`/entries/${id}`, { version: 1, fields: { title: `Chapter ${index}` } }));
      dataOf(await desk.put(`/entries/${id}`, { version: 1, fields: { summary: `Edited ${index}.` } }));
    });
    const diff = async () => {
      const { meta } = (await desk.get(`/environments/${redesign}/diff?limit=1`)).body as {
        meta: { counts: DifferenceCounts };
      };
      return meta.counts;
    };
    const ahead = { created: 0, updated: PAGES + 1, deleted: 0, none: 0, conflicts: 0 };
    expect(await diff()).toEqual(ahead);
    const before = await stateOf(app(), project, 'main');
    const promote = async (body: object) =>
      dataOf<Promotion>(await desk.post(`/environments/${redesign}/promote`, { mode: 'full', ...body }));
    const summary = { created: 0, updated: PAGES + 1, deleted: 0, unchanged: 0 };
    expect((await promote({ dryRun: true })).summary).toEqual(summary);
    expect(await stateOf(app(), project, 'main')).toEqual(before);
    const promotion = await promote({ publish: true });
    expect(promotion).toMatchObject({ status: 'succeeded', summary, conflicts: [] });
    const list = await desk.get('/entries?contentTypeApiName=chapter&limit=100');
    expect(list.body).toMatchObject({ meta: { total: PAGES } });
    const last = pages.at(-1)?.id ?? '';
    const read = dataOf<{ contentTypeApiName: string; fields: object }>(await desk.get(`/entries/${last}`));
    expect(read).toMatchObject({
      contentTypeApiName: 'chapter',
      fields: { title: `Chapter ${PAGES - 1}`, summary: `Edited ${PAGES - 1}.` },
    });
    const { promotionId } = promotion;
    dataOf(await desk.post('/environments/main/rollback', { promotionId }));
    expect(await stateOf(app(), project, 'main')).toEqual(before);
    expect(await diff()).toEqual(ahead);
  }, 120_000);
});
