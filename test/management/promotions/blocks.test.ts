import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EnvironmentDifference } from '../../../contracts/environments/environments/environment.js';
import type { Promotion } from '../../../contracts/deployment/promotions/promotion.js';
import { send } from '../../support/call.js';
import { Desk, openDesk, useApp } from '../../support/desk.js';
import { branchOf } from '../../support/factories/branch.js';
import { createEntry, publish, type TestEntry } from '../../support/factories/content.js';
import {
  blocksIn,
  card,
  createLandingTypes,
  idsIn,
  landing,
} from '../../support/factories/landing-blocks.js';
import type { TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { Caller } from './articles.js';

const app = useApp();
const by = new Caller(app);

let desk: Desk;
let main: TestProject;
let branch: TestProject & { environment: string };
let page: TestEntry;
let one = '';
let two = '';

beforeEach(async () => {
  desk = await openDesk(app());
  await createLandingTypes(desk);
  main = desk.project;
  page = await landing(desk, {
    title: 'Page',
    sections: [card('One', { tone: 'calm' }), card('Two', { cards: [card('Inner')] })],
    notes: [card('Note')],
  });
  [one = '', two = ''] = idsIn(page);
  const body = [
    { _ref: one, fields: { heading: 'Eins' } },
    { _ref: two, fields: { heading: 'Zwei' } },
  ];
  await by.edit(main, page.id, { title: 'Seite', sections: body }, 'de');
  branch = await branchOf(app(), main);
});

const edit = (at: TestProject, sections: unknown[], locale?: string) =>
  by.edit(at, page.id, { sections }, locale);

const differences = () =>
  by.call<EnvironmentDifference[]>(main, 'GET', `/environments/${branch.environment}/diff?target=main`);

const promote = (body: object = {}) =>
  by.call<Promotion>(main, 'POST', `/environments/${branch.environment}/promote`, {
    mode: 'full',
    target: 'main',
    ...body,
  });

const refused = async (body: object = {}) => {
  const path = `${main.management}/environments/${branch.environment}/promote`;
  const call = {
    method: 'POST',
    path,
    key: main.keys.management,
    body: { mode: 'full', target: 'main', ...body },
  } as const;
  return (await send(app(), call)).body as { error: string; details: { missing?: unknown } };
};

/** Headings of the sections in a locale, with those of the blocks in them. */
const headings = async (at: TestProject, locale?: string): Promise<unknown[]> =>
  blocksIn(await by.read(at, page.id, locale)).map(({ fields }) =>
    Array.isArray(fields.cards) && fields.cards.length > 0
      ? [fields.heading, ...blocksIn({ fields }, 'cards').map((inner) => inner.fields.heading)]
      : fields.heading,
  );

const inner = (entry: TestEntry): string => idsIn(blocksIn(entry)[1] ?? entry, 'cards')[0] ?? '';

const owners = async (environment: string): Promise<Record<string, string>> => {
  const rows = await app().rows<{ id: string; entryId: string }>(
    main.tenantId,
    `SELECT b.id, b.entry_id AS "entryId" FROM owned_blocks b JOIN environments e ON e.id = b.environment_id WHERE e.slug = $1`,
    [environment],
  );
  return Object.fromEntries(rows.map(({ id, entryId }) => [id, entryId]));
};

const valuesOf = (found: EnvironmentDifference[]) =>
  found.flatMap(({ values }) =>
    values.map(({ field, locale, changedIn }) => [field, locale ?? null, changedIn]),
  );

describe('A branch', () => {
  verifies('environments/own-blocks');

  it('has the blocks of its base with their ids', async () => {
    expect(await headings(branch)).toEqual(['One', ['Two', 'Inner']]);
    expect(await headings(branch, 'de')).toEqual(['Eins', ['Zwei', undefined]]);
    expect(idsIn(await by.read(branch, page.id))).toEqual([one, two]);
    expect(await owners(branch.environment)).toEqual(await owners('main'));
    expect(Object.values(await owners(branch.environment))).toEqual(Array.from({ length: 4 }, () => page.id));
    expect(await differences()).toEqual([]);
  });
});

describe('Changes of blocks on both sides', () => {
  verifies('environments/own-blocks', 'environments/promotion-merge');

  it('are merged per block, field and locale', async () => {
    await edit(branch, [{ _ref: one, fields: { heading: 'Source' } }, { _ref: two }]);
    await edit(branch, [{ _ref: one }, { _ref: two, fields: { heading: 'Quelle' } }], 'de');
    await edit(main, [
      { _ref: one, fields: { tone: 'loud' } },
      { _ref: two, fields: { heading: 'Target' } },
    ]);
    expect(valuesOf(await differences())).toEqual(
      expect.arrayContaining([
        [`sections[${one}].tone`, null, 'target'],
        [`sections[${one}].heading`, 'en', 'source'],
        [`sections[${two}].heading`, 'en', 'target'],
        [`sections[${two}].heading`, 'de', 'source'],
      ]),
    );
    const { conflicts, summary } = await promote();
    expect([conflicts, summary.updated]).toEqual([[], 1]);
    expect(await headings(main)).toEqual(['Source', ['Target', 'Inner']]);
    expect(await headings(main, 'de')).toEqual(['Eins', ['Quelle', undefined]]);
    expect(blocksIn(await by.read(main, page.id))[0]?.fields).toMatchObject({ tone: 'loud' });
    const [version] = await by.call<{ changedFields: string[] }[]>(
      main,
      'GET',
      `/entries/${page.id}/versions`,
    );
    expect(version?.changedFields.toSorted()).toEqual(
      [`sections[${one}].heading`, `sections[${two}].heading`].toSorted(),
    );
  });

  it('are merged where one side reordered the list and the other edited a block in it', async () => {
    await edit(branch, [{ _ref: two }, { _ref: one }]);
    const cards = [{ _ref: inner(page), fields: { heading: 'Edited' } }];
    await edit(main, [{ _ref: one }, { _ref: two, fields: { cards } }]);
    expect(valuesOf(await differences())).toEqual(
      expect.arrayContaining([
        ['sections', null, 'source'],
        [`sections[${two}].cards[${inner(page)}].heading`, 'en', 'target'],
      ]),
    );
    expect((await promote()).conflicts).toEqual([]);
    expect(await headings(main)).toEqual([['Two', 'Edited'], 'One']);
  });

  it('are a conflict only where both changed the same path', async () => {
    await edit(branch, [{ _ref: one, fields: { heading: 'Source', tone: 'loud' } }, { _ref: two }]);
    await edit(main, [{ _ref: one, fields: { heading: 'Target' } }, { _ref: two }]);
    expect(await differences()).toMatchObject([{ isConflict: true }]);
    const refusal = await refused();
    expect(refusal.error).toBe('environment_conflict');
    expect(JSON.stringify(refusal.details)).toContain(`sections[${one}].heading`);
    expect(JSON.stringify(refusal.details)).not.toContain(`sections[${one}].tone`);
    const { conflicts } = await promote({ conflictStrategy: 'target', dryRun: true });
    expect(conflicts).toMatchObject([
      {
        id: page.id,
        values: [
          {
            field: `sections[${one}].heading`,
            locale: 'en',
            base: 'One',
            source: 'Source',
            target: 'Target',
          },
        ],
      },
    ]);
    await promote({ conflictStrategy: 'target' });
    expect(blocksIn(await by.read(main, page.id))[0]?.fields).toMatchObject({
      heading: 'Target',
      tone: 'loud',
    });
  });

  it('are a conflict where one removed a block that the other changed; the block is kept or removed as a whole', async () => {
    await edit(branch, [{ _ref: one }]);
    const cards = [{ _ref: inner(page), fields: { heading: 'Edited' } }];
    await edit(main, [{ _ref: one }, { _ref: two, fields: { cards } }]);
    const fields = (await differences()).flatMap(({ values }) =>
      values.flatMap(({ field, changedIn }) => (changedIn === 'both' ? [field] : [])),
    );
    expect(fields).toContain('sections');
    expect(fields).toContain(`sections[${two}].cards[${inner(page)}].heading`);
    expect((await refused()).error).toBe('environment_conflict');
    await promote({ conflictStrategy: 'target' });
    expect(await headings(main)).toEqual(['One', ['Two', 'Edited']]);
    expect(await headings(main, 'de')).toEqual(['Eins', ['Zwei', undefined]]);
  });

  it('are a conflict where the target removed a block that the source changed, which brings it back if the source wins', async () => {
    await edit(branch, [{ _ref: one }, { _ref: two, fields: { heading: 'Source' } }]);
    await edit(main, [{ _ref: one }]);
    expect((await refused()).error).toBe('environment_conflict');
    await promote({ conflictStrategy: 'source' });
    expect(await headings(main)).toEqual(['One', ['Source', 'Inner']]);
    expect(await headings(main, 'de')).toEqual(['Eins', ['Zwei', undefined]]);
    expect(idsIn(await by.read(main, page.id))).toEqual([one, two]);
  });

  it('include a block that only the source has, with all of its locales', async () => {
    await edit(branch, [{ _ref: one }, card('New', { tone: 'new', cards: [card('Deep')] }), { _ref: two }]);
    const made = idsIn(await by.read(branch, page.id))[1] ?? '';
    await edit(branch, [{ _ref: one }, { _ref: made, fields: { heading: 'Neu' } }, { _ref: two }], 'de');
    await edit(main, [{ _ref: one, fields: { heading: 'Target' } }, { _ref: two }]);
    expect((await promote()).conflicts).toEqual([]);
    expect(await headings(main)).toEqual(['Target', ['New', 'Deep'], ['Two', 'Inner']]);
    expect(await headings(main, 'de')).toEqual(['Eins', ['Neu', undefined], ['Zwei', undefined]]);
    expect(idsIn(await by.read(main, page.id))).toEqual([one, made, two]);
    expect(await differences()).toMatchObject([{ change: 'none' }]);
    expect(Object.keys(await owners('main'))).toEqual(expect.arrayContaining([made]));
    expect(Object.keys(await owners('main'))).toHaveLength(6);
  });

  it('of localized lists are merged in their locale', async () => {
    const [note = ''] = idsIn(page, 'notes');
    await by.edit(branch, page.id, { notes: [{ _ref: note, fields: { heading: 'Source', tone: 'own' } }] });
    await by.edit(branch, page.id, { notes: [card('Notiz')] }, 'de');
    await by.edit(main, page.id, { title: 'Target' });
    expect((await promote()).conflicts).toEqual([]);
    const english = await by.read(main, page.id);
    expect(english.fields.title).toBe('Target');
    expect(blocksIn(english, 'notes')).toMatchObject([
      { _ref: note, fields: { heading: 'Source', tone: 'own' } },
    ]);
    expect(blocksIn(await by.read(main, page.id, 'de'), 'notes')).toMatchObject([
      { fields: { heading: 'Notiz' } },
    ]);
  });
});

describe('A promotion of blocks', () => {
  verifies('environments/own-blocks');

  it('needs what they link to, and their types', async () => {
    const author = await createEntry(app(), branch, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    await edit(branch, [{ _ref: one, fields: { author: { _ref: author.id } } }, { _ref: two }]);
    const body = { mode: 'cherryPick', items: [{ kind: 'entry', id: page.id }] };
    const refusal = await refused({ ...body, includeDependencies: false });
    expect(refusal.error).toBe('promotion_incomplete');
    expect(refusal.details.missing).toMatchObject([
      { kind: 'entry', id: author.id, neededBy: { id: page.id } },
    ]);
    await by.call(branch, 'POST', '/content-types/card/fields', {
      apiName: 'size',
      name: 'Size',
      type: 'text',
    });
    await edit(branch, [{ _ref: one, fields: { size: 'big' } }, { _ref: two }]);
    await promote({ ...body, includeDependencies: true });
    expect(blocksIn(await by.read(main, page.id))[0]?.fields).toMatchObject({
      author: { _ref: author.id, _type: 'author' },
      size: 'big',
    });
    expect((await by.call<unknown[]>(main, 'GET', `/entries/${author.id}/references`))[0]).toMatchObject({
      entryId: page.id,
    });
  });

  it('publishes them with their entry', async () => {
    await publish(app(), main, page.id);
    await edit(branch, [{ _ref: one, fields: { heading: 'Source' } }, { _ref: two }]);
    await publish(app(), branch, page.id);
    await promote({ publish: true });
    const read = async (id: string) => (await app().request.get(`${main.delivery}/entries/${id}`)).body.data;
    expect((await read(one)).fields.heading).toBe('Source');
    expect((await read(page.id)).fields.sections).toEqual(
      [one, two].map((id) => ({ _ref: id, _type: 'card' })),
    );
  });

  it('is undone by a rollback, with what says which entry has them', async () => {
    const [values, known] = [(await by.read(main, page.id)).fields, await owners('main')];
    await edit(branch, [card('New'), { _ref: one, fields: { heading: 'Source' } }]);
    const made = await landing(new Desk(app(), branch), { sections: [card('Other')] });
    const { promotionId } = await promote();
    expect(Object.keys(await owners('main'))).toHaveLength(6);
    expect(await headings(main)).toEqual(['New', 'Source']);
    await by.call(main, 'POST', '/environments/main/rollback', { promotionId });
    expect((await by.read(main, page.id)).fields).toEqual(values);
    expect(await owners('main')).toEqual(known);
    expect((await desk.get(`/entries/${made.id}`)).status).toBe(404);
    await promote();
    expect(await headings(main)).toEqual(['New', 'Source']);
  });
});
