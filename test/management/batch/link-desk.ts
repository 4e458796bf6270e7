import { beforeAll, expect } from '@jest/globals';
import type { BatchOutcome } from '../../../contracts/entries/entries/batch.js';
import type { Entry } from '../../../contracts/entries/entries/entry.js';
import { openDesk, useOwnApp, type Desk } from '../../support/desk.js';
import { createType } from '../../support/factories/content.js';
import { unique } from '../../support/factories/project.js';

export const app = useOwnApp();
let opened: Desk;
export const desk = (): Desk => opened;

beforeAll(async () => {
  opened = await openDesk(app());
  const title = { apiName: 'title', type: 'text' };
  await createType(app(), opened.project, {
    apiName: 'leaf',
    isPage: true,
    fields: [title, { apiName: 'next', type: 'reference', settings: { contentTypes: ['leaf'] } }],
  });
  await createType(app(), opened.project, {
    apiName: 'teaser',
    isBlock: true,
    fields: [title, { apiName: 'target', type: 'reference' }],
  });
  await createType(app(), opened.project, {
    apiName: 'story',
    fields: [title, { apiName: 'parts', type: 'blocks' }, { apiName: 'data', type: 'json' }],
  });
});

export const link = (external: string, type = 'article') => ({ _external: external, _type: type });

export const item = (externalId: string, fields: object = {}, more: object = {}) => ({
  action: 'upsert',
  contentTypeApiName: 'article',
  siteId: opened.project.siteId,
  externalId,
  fields: { title: `Title ${externalId}`, ...fields },
  ...more,
});

export const author = (externalId: string, name: unknown = 'Ada') => ({
  ...item(externalId),
  contentTypeApiName: 'author',
  fields: { name },
});

export async function batch(items: readonly object[], by = opened): Promise<BatchOutcome[]> {
  const { status, body } = await by.post('/entries/batch', { items });
  expect(status).toBe(200);
  return (body.data as { results: BatchOutcome[] }).results;
}

export const read = async (id: string | null | undefined): Promise<Entry> => {
  const { status, body } = await opened.get(`/entries/${id ?? ''}`);
  expect(status).toBe(200);
  return body.data as Entry;
};

export const failures = (results: readonly BatchOutcome[]) =>
  results.map(({ ok, error, details }) =>
    ok
      ? 'ok'
      : [
          error,
          ...((details as { issues?: { path: string[]; code: string }[] } | undefined)?.issues ?? []).map(
            ({ path, code }) => [path.join('.'), code],
          ),
        ],
  );

export const names = (count: number): string[] => Array.from({ length: count }, () => unique());

export const create = (fields: object, more: object = {}, by = opened) =>
  by.post('/entries', {
    contentTypeApiName: 'article',
    siteId: opened.project.siteId,
    fields: { title: 'x', ...fields },
    ...more,
  });

/** A document with each node and mark that names an entry. */
export const text = (entryId: unknown) => ({
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'linked', marks: [{ type: 'link', attrs: { entryId } }] },
        { type: 'entryMention', attrs: { entryId } },
      ],
    },
    { type: 'entryEmbed', attrs: { entryId } },
  ],
});
