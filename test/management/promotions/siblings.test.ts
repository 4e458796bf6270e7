import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EnvironmentDifference } from '../../../contracts/environments/environments/environment.js';
import type { Promotion } from '../../../contracts/deployment/promotions/promotion.js';
import { send } from '../../support/call.js';
import { useOwnApp } from '../../support/desk.js';
import { stateOf } from '../../support/environment-state.js';
import { branch } from '../../support/factories/branch.js';
import { createEntry, type TestEntry } from '../../support/factories/content.js';
import type { TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { projectWithArticle } from './articles.js';

const app = useOwnApp();
let main: TestProject;
let article: TestEntry;

beforeEach(async () => {
  ({ main, article } = await projectWithArticle(app()));
});

const key = () => main.keys.management;
const branchFrom = (from?: string) => branch({ app: app(), project: main }, from);
const call = async <T = unknown>(
  environment: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
) => {
  const answer = await send(app(), {
    method,
    path: `${main.management}${path}`,
    key: key(),
    environment,
    body,
  });
  return { status: answer.status, body: answer.body as { data: T; error?: string; details?: T } };
};
const read = async (environment: string, id = article.id) =>
  (await call<TestEntry>(environment, 'GET', `/entries/${id}`)).body.data;
const edit = async (environment: string, fields: Record<string, unknown>, id = article.id) => {
  const { version } = await read(environment, id);
  const answer = await call(environment, 'PUT', `/entries/${id}`, { version, fields });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
};
const titleIn = async (environment: string) => (await read(environment)).fields.title;
const tryPromote = (source: string, target: string, body: object = {}) =>
  call<Promotion>('main', 'POST', `/environments/${source}/promote`, { mode: 'full', target, ...body });
const promote = async (source: string, target: string, body: object = {}): Promise<Promotion> => {
  const answer = await tryPromote(source, target, body);
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body.data;
};
const differences = async (source: string, target: string) =>
  (
    await call<EnvironmentDifference[]>(
      'main',
      'GET',
      `/environments/${source}/diff?target=${target}&limit=100`,
    )
  ).body.data;
const conflictOf = async (source: string, target: string) => {
  const { status, body } = await tryPromote(source, target);
  const { conflicts } = (body.details ?? {}) as { conflicts?: Promotion['conflicts'] };
  return { status, error: body.error, values: conflicts?.flatMap(({ values }) => values) };
};

describe('A promotion between branches of the same environment', () => {
  verifies('environments/comparison');

  it('merges what both changed since the first of them was made, and is rolled back', async () => {
    const dev = await branchFrom();
    await edit('main', { teaser: 'Of main' });
    const staging = await branchFrom();
    await edit(dev, { title: 'Of dev' });
    await edit(staging, { code: 'staging' });
    const before = await stateOf(app(), main, staging);
    const { promotionId, summary } = await promote(dev, staging);
    expect(summary).toEqual({ created: 0, updated: 1, deleted: 0, unchanged: 0 });
    expect((await read(staging)).fields).toMatchObject({
      title: 'Of dev',
      teaser: 'Of main',
      code: 'staging',
    });
    expect((await differences(dev, staging)).map(({ isConflict }) => isConflict)).toEqual([false]);
    const undone = await call('main', 'POST', `/environments/${staging}/rollback`, { promotionId });
    expect(undone.status).toBe(200);
    expect(await stateOf(app(), main, staging)).toEqual(before);
    await promote(dev, staging);
    expect(await titleIn(staging)).toBe('Of dev');
  });

  it('reports what both changed, with the value that both had', async () => {
    const [dev, staging] = [await branchFrom(), await branchFrom()];
    await edit(dev, { title: 'Of dev' });
    await edit(staging, { title: 'Of staging' });
    const before = await stateOf(app(), main, staging);
    expect(await conflictOf(dev, staging)).toMatchObject({
      status: 409,
      error: 'environment_conflict',
      values: [{ base: 'One', source: 'Of dev', target: 'Of staging' }],
    });
    expect(await stateOf(app(), main, staging)).toEqual(before);
    await promote(dev, staging, { conflictStrategy: 'source' });
    expect(await titleIn(staging)).toBe('Of dev');
  });

  it('counts what their base changed in between as a change of the younger one', async () => {
    const dev = await branchFrom();
    await edit('main', { title: 'Of main' });
    const staging = await branchFrom();
    await edit(dev, { title: 'Of dev' });
    expect(await conflictOf(dev, staging)).toMatchObject({
      values: [{ base: 'One', source: 'Of dev', target: 'Of main' }],
    });
    await promote(staging, dev, { conflictStrategy: 'source' });
    expect(await titleIn(dev)).toBe('Of main');
  });

  it('does everything and undoes it in a dry run', async () => {
    const [dev, staging] = [await branchFrom(), await branchFrom()];
    await edit(dev, { title: 'Of dev' });
    const before = [await stateOf(app(), main, staging), await differences(dev, staging)];
    const { status, items } = await promote(dev, staging, { dryRun: true });
    expect([status, items.map(({ change }) => change)]).toEqual(['planned', ['updated']]);
    expect([await stateOf(app(), main, staging), await differences(dev, staging)]).toEqual(before);
  });

  it('deletes what the source deleted, unless the target changed it', async () => {
    const fields = { title: 'Other' };
    const other = await createEntry(app(), main, { contentTypeApiName: 'article', fields });
    const [dev, staging] = [await branchFrom(), await branchFrom()];
    await call(dev, 'DELETE', `/entries/${article.id}`);
    await call(dev, 'DELETE', `/entries/${other.id}`);
    await edit(staging, { title: 'Kept' }, other.id);
    expect(await conflictOf(dev, staging)).toMatchObject({ status: 409, error: 'environment_conflict' });
    const { summary } = await promote(dev, staging, { conflictStrategy: 'target' });
    expect(summary).toMatchObject({ deleted: 1 });
    const gone = await call(staging, 'GET', `/entries/${article.id}`);
    expect([gone.status, (await read(staging, other.id)).fields.title]).toEqual([404, 'Kept']);
  });

  it('starts from the last promotion between them, in either direction', async () => {
    const [dev, staging] = [await branchFrom(), await branchFrom()];
    await edit(dev, { title: 'First' });
    await promote(dev, staging);
    await edit(staging, { title: 'Second' });
    await promote(staging, dev);
    await edit(dev, { title: 'Third' });
    await promote(dev, staging);
    expect(await titleIn(staging)).toBe('Third');
    await edit(staging, { title: 'First' });
    expect((await promote(dev, staging)).items).toEqual([]);
    expect(await titleIn(staging)).toBe('First');
  });

  it('carries a renamed field, and names conflicts as the source does', async () => {
    const [dev, staging] = [await branchFrom(), await branchFrom()];
    await call(dev, 'POST', '/content-types/article/fields/title/rename', { apiName: 'headline' });
    await edit(dev, { headline: 'Of dev' });
    await edit(staging, { teaser: 'Of staging' });
    await promote(dev, staging);
    expect((await read(staging)).fields).toMatchObject({ headline: 'Of dev', teaser: 'Of staging' });
  });
});

describe('Environments that have more than their origin in common', () => {
  verifies('environments/comparison');

  it('start from what one of them got from the other through their base', async () => {
    const dev = await branchFrom();
    const staging = await branchFrom();
    await edit(dev, { title: 'Shared' });
    await promote(dev, 'main');
    await promote('main', staging);
    expect(await titleIn(staging)).toBe('Shared');
    await edit(dev, { title: 'Later' });
    expect((await promote(dev, staging)).conflicts).toEqual([]);
    expect(await titleIn(staging)).toBe('Later');
  });

  it('keep what the target changed back after it came from the source through their base', async () => {
    const [dev, staging] = [await branchFrom(), await branchFrom()];
    await edit(dev, { title: 'Shared' });
    await promote(dev, 'main');
    await promote('main', staging);
    await edit(staging, { title: 'One' });
    expect((await promote(dev, staging)).items).toEqual([]);
    expect(await titleIn(staging)).toBe('One');
  });

  it('start from what a copy of their base had from the other', async () => {
    const dev = await branchFrom();
    await edit(dev, { title: 'Shared' });
    await promote(dev, 'main');
    const staging = await branchFrom();
    await edit(dev, { title: 'Later' });
    await promote(dev, staging);
    expect(await titleIn(staging)).toBe('Later');
  });

  it('start from where they did before a promotion that was rolled back', async () => {
    const [dev, staging] = [await branchFrom(), await branchFrom()];
    await edit(dev, { title: 'Shared' });
    await promote(dev, 'main');
    const before = await differences(dev, staging);
    const { promotionId } = await promote('main', staging);
    const undone = await call('main', 'POST', `/environments/${staging}/rollback`, { promotionId });
    expect(undone.status).toBe(200);
    expect(await differences(dev, staging)).toEqual(before);
    await promote(dev, staging);
    expect(await titleIn(staging)).toBe('Shared');
  });

  it('are compared over several branches: one of a branch with one of the default environment', async () => {
    const dev = await branchFrom();
    await edit(dev, { teaser: 'Of dev' });
    const staging = await branchFrom(dev);
    const hotfix = await branchFrom();
    await edit(staging, { title: 'Of staging' });
    await edit(hotfix, { code: 'hotfix' });
    await edit(dev, { code: 'dev' });
    await promote(staging, hotfix);
    expect((await read(hotfix)).fields).toMatchObject({
      title: 'Of staging',
      teaser: 'Of dev',
      code: 'hotfix',
    });
    await edit(staging, { code: 'staging' });
    await edit(hotfix, { code: 'again' });
    expect(await conflictOf(staging, hotfix)).toMatchObject({
      values: [{ base: 'c', source: 'staging', target: 'again' }],
    });
  });

  it('have the schema in common only, if one was made without content', async () => {
    const dev = await branchFrom();
    const empty = `empty-${dev}`;
    const body = { slug: empty, name: 'Empty', copyContent: false };
    expect((await call('main', 'POST', '/environments', body)).status).toBe(201);
    await edit(dev, { title: 'Of dev' });
    await call(empty, 'PUT', '/content-types/article', { name: 'Renamed' });
    expect((await differences(empty, dev)).map((one) => [one.kind, one.isConflict])).toEqual([
      ['contentType', false],
      ['entry', false],
    ]);
    await promote(empty, dev);
    expect(await titleIn(dev)).toBe('Of dev');
  });
});

describe('Branches of a deleted environment', () => {
  verifies('environments/comparison');

  it('are compared with each other and with its base from what they had in common', async () => {
    const dev = await branchFrom();
    await edit(dev, { title: 'Of dev' });
    const one = await branchFrom(dev);
    await call(dev, 'POST', '/content-types/article/fields/teaser/rename', { apiName: 'summary' });
    await edit(dev, { summary: 'Of dev' });
    const two = await branchFrom(dev);
    await edit(dev, { title: 'Later' });
    const three = await branchFrom(dev);
    expect((await call('main', 'DELETE', `/environments/${dev}`)).status).toBe(200);
    await app().composition.jobs.workOnEnvironments();
    await edit(one, { code: 'one' });
    await edit(two, { code: 'two' });
    expect(await conflictOf(one, two)).toMatchObject({
      values: [{ base: 'c', source: 'one', target: 'two' }],
    });
    expect(await conflictOf(two, three)).toMatchObject({ status: 200 });
    expect((await read(three)).fields).toMatchObject({ title: 'Later', summary: 'Of dev', code: 'two' });
    await edit('main', { code: 'main' });
    expect(await conflictOf(one, 'main')).toMatchObject({
      values: [{ base: 'c', source: 'one', target: 'main' }],
    });
    await promote(one, 'main', { conflictStrategy: 'target' });
    expect((await read('main')).fields).toMatchObject({ title: 'Of dev', teaser: 'T', code: 'main' });
  });

  it('keep what they have in common with others under its names', async () => {
    const dev = await branchFrom();
    await call(dev, 'POST', '/content-types/article/fields/title/rename', { apiName: 'headline' });
    const feature = await branchFrom(dev);
    await edit(dev, { headline: 'Shared' });
    await promote(dev, feature);
    await promote(dev, 'main');
    expect((await call('main', 'DELETE', `/environments/${dev}`)).status).toBe(200);
    await app().composition.jobs.workOnEnvironments();
    await edit(feature, { headline: 'Later' });
    await promote(feature, 'main');
    expect((await read('main')).fields.headline).toBe('Later');
  });
});
