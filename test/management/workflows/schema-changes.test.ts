import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { branch } from '../../support/factories/branch.js';
import { verifies } from '../../support/verifies.js';
import { article, change, now } from '../entries/history.js';
import { editorial, editorRole, member, moveTo, newWorkflow, stateOf, step } from './definitions.js';

const app = useApp();

interface Scene {
  readonly desk: Desk;
  /** Has a tag, which all locales share, and a German note. */
  readonly id: string;
  /** Has a title only. */
  readonly plain: string;
}

async function approve(desk: Desk, id: string, rest: object = {}): Promise<void> {
  for (const to of ['review', 'approved'])
    expect(outcome(await moveTo(desk, id, to, rest))).toEqual([200, undefined]);
}

/** Two approved articles in a strict workflow. */
async function approvedArticles(workflow: object = {}): Promise<Scene> {
  const desk = await openDesk(app());
  await desk.post('/content-types/article/fields', { apiName: 'note', type: 'text' });
  await desk.post('/content-types/article/fields', { apiName: 'tag', type: 'text', localized: false });
  await newWorkflow(desk, editorial({ enforcement: 'strict', ...workflow }));
  const { id } = await article(desk, { title: 'Title', tag: 'a' });
  await change(desk, id, { locale: 'de', fields: { title: 'Titel', note: 'Notiz' } });
  const { id: plain } = await article(desk, { title: 'Plain' });
  for (const one of [id, plain]) await approve(desk, one);
  return { desk, id, plain };
}

interface Schema {
  contentTypes: { apiName: string; fields: { apiName: string; [key: string]: unknown }[] }[];
}

/** Applies the present content types without a field of articles, and returns the id of the apply. */
async function applyWithout(desk: Desk, name: string): Promise<string> {
  const { schema } = (await desk.get('/schema/export')).body.data as { schema: Schema };
  const contentTypes = schema.contentTypes.map((type) => ({
    ...type,
    fields: type.fields.filter(({ apiName }) => type.apiName !== 'article' || apiName !== name),
  }));
  const answer = await desk.post('/schema/apply', { schema: { contentTypes }, allowDestructive: true });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return (answer.body as { data: { applyId: string } }).data.applyId;
}

const field = (name: string): string => `/content-types/article/fields/${name}`;
const changes: readonly [string, (desk: Desk) => Promise<Response | string>][] = [
  ['is deleted', (desk) => desk.delete(`${field('tag')}?force=true`)],
  ['becomes a list', (desk) => desk.put(field('tag'), { isList: true })],
  ['becomes localized', (desk) => desk.put(field('tag'), { localized: true })],
  ['is removed by a schema', (desk) => applyWithout(desk, 'tag')],
];

describe('Approved content whose values a change of the schema rewrites', () => {
  verifies('workflows/changed-schema');

  it.each(changes)('returns to the initial state when a field of it %s', async (_title, run) => {
    const { desk, id, plain } = await approvedArticles();
    const result = await run(desk);
    if (typeof result !== 'string') expect(outcome(result)).toEqual([200, undefined]);
    expect([await stateOf(desk, id), await stateOf(desk, plain)]).toEqual(['draft', 'approved']);
    expect(outcome(await desk.post(`/entries/${id}/publish`))).toEqual([409, 'workflow_not_approved']);
    const { history } = (await desk.get(`/entries/${id}/workflow`)).body.data;
    expect(history[0]).toMatchObject({ from: 'approved', to: 'draft' });
  });

  it('returns to the initial state when an undo restores values', async () => {
    const { desk, id, plain } = await approvedArticles();
    const applyId = await applyWithout(desk, 'tag');
    await approve(desk, id);
    expect(outcome(await desk.post('/schema/undo', { applyId }))).toEqual([200, undefined]);
    expect((await now(desk, id)).fields).toMatchObject({ tag: 'a' });
    expect([await stateOf(desk, id), await stateOf(desk, plain)]).toEqual(['draft', 'approved']);
  });

  it('returns to the initial state when a promotion deletes its field', async () => {
    const { desk, id, plain } = await approvedArticles();
    const slug = await branch(desk);
    await desk.in(slug).delete(`${field('tag')}?force=true`);
    const promoted = await desk.post(`/environments/${slug}/promote`, { mode: 'full' });
    expect(outcome(promoted)).toEqual([200, undefined]);
    expect([await stateOf(desk, id), await stateOf(desk, plain)]).toEqual(['draft', 'approved']);
  });

  it('stays approved when types and fields are renamed', async () => {
    const { desk, id } = await approvedArticles();
    expect(outcome(await desk.post(`${field('tag')}/rename`, { apiName: 'label' }))).toEqual([
      200,
      undefined,
    ]);
    const renamed = await desk.post('/content-types/article/rename', { apiName: 'story' });
    expect(outcome(renamed)).toEqual([200, undefined]);
    expect((await now(desk, id)).fields).toMatchObject({ label: 'a' });
    expect(await stateOf(desk, id)).toBe('approved');
  });

  it('returns in the locale that changes, where each has its own state', async () => {
    const { desk, id } = await approvedArticles({ perLocale: true });
    await approve(desk, id, { locale: 'de' });
    await desk.delete(`${field('note')}?force=true`);
    expect([await stateOf(desk, id), await stateOf(desk, id, '?locale=de')]).toEqual(['approved', 'draft']);
  });

  it('loses approvals that are pending', async () => {
    const approvals = { required: 2 };
    const transitions = [step('draft', 'review'), step('review', 'approved', { approvals })];
    const desk = await openDesk(app());
    await desk.post('/content-types/article/fields', { apiName: 'tag', type: 'text', localized: false });
    await newWorkflow(desk, editorial({ enforcement: 'strict', transitions }));
    const { id } = await article(desk, { title: 'Title', tag: 'a' });
    await moveTo(desk, id, 'review');
    const reviewer = await member(desk, await editorRole(desk));
    await moveTo(reviewer.desk, id, 'approved');
    const pending = async () =>
      ((await desk.get(`/entries/${id}/workflow`)).body.data as { pendingApprovals: unknown[] })
        .pendingApprovals;
    expect(await pending()).toHaveLength(1);
    await desk.put(field('tag'), { isList: true });
    expect(await pending()).toEqual([]);
  });
});
