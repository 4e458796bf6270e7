import { beforeEach, describe, expect, it } from '@jest/globals';
import { checkEnvironment, rebuildEnvironment } from '../../src/cli/rebuild/visit-environment.js';
import { EnvironmentListRepository } from '../../src/features/environments/catalog/index.js';
import { systemScope } from '../../src/persistence/work/unit-of-work.js';
import { must, send } from '../support/call.js';
import { useOwnApp } from '../support/desk.js';
import { branchOf } from '../support/factories/branch.js';
import { createEntry, createType, publish, type TestEntry } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';

verifies('delivery/filters-indexed');

const app = useOwnApp();
let project: TestProject;
/** By name. */
let ids: Map<string, string>;

const call = <T = { id: string }>(
  at: TestProject,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
) => must<T>(app(), { method, path: `${at.management}${path}`, key: at.keys.management, body });

async function create(at: TestProject, name: string, fields: object): Promise<void> {
  const { id } = await createEntry(app(), at, { contentTypeApiName: 'row', fields: { name, ...fields } });
  ids.set(name, id);
  await publish(app(), at, id);
}

const idOf = (name: string): string => ids.get(name) ?? '';

async function change(at: TestProject, name: string, fields: object): Promise<void> {
  const { version } = await call<TestEntry>(at, 'GET', `/entries/${idOf(name)}`);
  await call(at, 'PUT', `/entries/${idOf(name)}`, { version, fields });
  await publish(app(), at, idOf(name));
}

beforeEach(async () => {
  project = await createProject(app(), { locales: ['en'] });
  ids = new Map();
  await createType(app(), project, {
    apiName: 'row',
    fields: [
      { apiName: 'name', type: 'text' },
      { apiName: 'text', type: 'text' },
      { apiName: 'size', type: 'number' },
    ],
  });
  await create(project, 'a', { text: 'Upper lock', size: 5 });
  await create(project, 'b', { text: 'Lower lock', size: 20 });
  await create(project, 'c', { size: 30 });
  await create(project, 'd', { text: 'Weir', size: 40 });
  await create(project, 'e', { text: 'A locked weir' });
});

interface Row {
  readonly name: string;
  readonly text: string | null;
  readonly size: number | null;
}

interface Page {
  readonly data: readonly { fields: Readonly<Record<string, unknown>> }[];
  readonly meta: { readonly total: number; readonly nextCursor?: string | null };
}

/** The present names of the type and its fields. */
let names = { type: 'row', text: 'text', size: 'size' };
beforeEach(() => {
  names = { type: 'row', text: 'text', size: 'size' };
});

type Filter = (row: Row) => boolean;

const filters: readonly (readonly [query: string, keeps: Filter])[] = [
  ['filter[size][gt]=10', ({ size }) => size !== null && size > 10],
  ['filter[size][lte]=20', ({ size }) => size !== null && size <= 20],
  ['filter[text][contains]=LOCK', ({ text }) => text?.toLowerCase().includes('lock') ?? false],
  ['filter[text][gte]=Up', ({ text }) => text !== null && text >= 'Up'],
  ['filter[text][exists]=false', ({ text }) => text === null],
  [
    'filter[size][gte]=20&filter[size][lt]=40&filter[text][exists]=true',
    ({ size, text }) => size !== null && size >= 20 && size < 40 && text !== null,
  ],
];

async function read(query: string): Promise<{ rows: Row[]; meta: Page['meta'] }> {
  const path = `${project.delivery}/content/${names.type}?orderBy=createdAt:asc&${query}`;
  const { body } = await send(app(), { method: 'GET', path });
  const { data, meta } = body as Page;
  const rows = data.map(({ fields }) => ({
    name: String(fields.name),
    text: (fields[names.text] ?? null) as string | null,
    size: (fields[names.size] ?? null) as number | null,
  }));
  return { rows, meta };
}

const namesOf = (rows: readonly Row[]): string => rows.map(({ name }) => name).join('');

/** A query with the present names of fields. */
const named = (query: string): string =>
  query.replace(/\[(text|size)\]/g, (_found, name: 'text' | 'size') => `[${names[name]}]`);

async function expectNaive(): Promise<void> {
  const all = await read('limit=100');
  for (const [query, keeps] of filters) {
    const { rows, meta } = await read(`limit=100&${named(query)}`);
    const expected = namesOf(all.rows.filter(keeps));
    expect([query, namesOf(rows), meta.total]).toEqual([query, expected, expected.length]);
  }
}

const waiting = async (): Promise<number> => {
  const [row] = await app().rows<{ waiting: number }>(
    project.tenantId,
    'SELECT count(*)::int AS waiting FROM filter_notes n JOIN content_types t ON t.environment_id = n.environment_id AND t.id = n.content_type_id',
  );
  return row?.waiting ?? -1;
};

const index = async (): Promise<void> => {
  await app().composition.jobs.indexFilters();
  expect(await waiting()).toBe(0);
};

/** While changes wait to be indexed, and then. */
async function expectNaiveTwice(large: string): Promise<void> {
  expect(await waiting()).toBeGreaterThan(0);
  await expectNaive();
  await index();
  await expectNaive();
  expect(namesOf((await read(`limit=100&${named('filter[size][gt]=10')}`)).rows)).toBe(large);
}

describe('A filtered list', () => {
  it('answers as the naive list after a promotion and its rollback', async () => {
    await expectNaiveTwice('bcd');
    const branch = await branchOf(app(), project);
    await change(branch, 'a', { text: 'Upper weir', size: 50 });
    await change(branch, 'b', { text: null, size: null });
    await create(branch, 'f', { text: 'locks', size: 60 });
    await call(branch, 'DELETE', `/entries/${idOf('d')}`);
    await expectNaive();
    const promotion = await call<{ promotionId: string; status: string }>(
      project,
      'POST',
      `/environments/${branch.environment}/promote`,
      { mode: 'full', publish: true },
    );
    expect(promotion.status).toBe('succeeded');
    await expectNaiveTwice('acf');
    await call(project, 'POST', '/environments/main/rollback', { promotionId: promotion.promotionId });
    await expectNaiveTwice('bcd');
  });

  it('answers as the naive list after an entry was restored to an older version', async () => {
    await change(project, 'b', { text: 'Weir without', size: 1 });
    await expectNaiveTwice('cd');
    await call(project, 'POST', `/entries/${idOf('b')}/restore`, { versionNum: 1 });
    await expectNaive();
    await publish(app(), project, idOf('b'));
    await expectNaiveTwice('bcd');
  });

  it('answers as the naive list after fields and their type were renamed', async () => {
    await expectNaiveTwice('bcd');
    await call(project, 'POST', '/content-types/row/fields/size/rename', { apiName: 'height' });
    names = { ...names, size: 'height' };
    await expectNaiveTwice('bcd');
    await call(project, 'POST', '/content-types/row/fields/text/rename', { apiName: 'size' });
    await call(project, 'POST', '/content-types/row/fields/height/rename', { apiName: 'text' });
    names = { ...names, text: 'size', size: 'text' };
    await expectNaiveTwice('bcd');
    await call(project, 'POST', '/content-types/row/rename', { apiName: 'line' });
    names = { ...names, type: 'line' };
    await expectNaive();
    await change(project, 'e', { text: 11 });
    await expectNaiveTwice('bcde');
  });

  it('is walked by cursor as the naive list while documents change', async () => {
    for (const [position, name] of [...'fghijk'].entries())
      await create(project, name, { text: 'lock', size: 100 + position });
    const changes = [
      index,
      () => change(project, 'c', { size: 1 }),
      () => change(project, 'g', { size: 2 }),
      async () => {
        await call(project, 'POST', `/entries/${idOf('j')}/unpublish`, {});
        await create(project, 'l', { size: 500 });
      },
    ];
    const query = `limit=2&filter[size][gt]=10`;
    let seen = '';
    /** Of the first page; cursors carry it. */
    let total: number | undefined;
    let cursor: string | null | undefined = '*';
    for (let step = 0; typeof cursor === 'string' && step < 20; step += 1) {
      await changes[step]?.();
      const { rows, meta }: Awaited<ReturnType<typeof read>> = await read(
        `${query}&cursor=${encodeURIComponent(cursor)}`,
      );
      const all = (await read('limit=100')).rows.filter(({ size }) => (size ?? 0) > 10);
      const after = all.filter(({ name }) => name > (seen.at(-1) ?? ''));
      total ??= all.length;
      expect([step, namesOf(rows), meta.total]).toEqual([step, namesOf(after.slice(0, 2)), total]);
      seen += namesOf(rows);
      cursor = meta.nextCursor;
    }
    expect([seen, cursor]).toEqual(['bcdfhikl', null]);
  });
});

describe('The index of delivery filters', () => {
  const damaged = (sql: string) => app().rows(project.tenantId, sql, [idOf('a')]);

  const rows = () =>
    damaged(`SELECT d.locale, ARRAY(SELECT term FROM unnest(d.terms) AS term ORDER BY term) AS terms,
        ARRAY(SELECT k.place || k.key FROM filter_keys k WHERE k.entry_id = $1 AND k.locale = d.locale ORDER BY 1) AS keys
      FROM filter_documents d WHERE d.entry_id = $1`);

  const other = '01900000-0000-7000-8000-000000000001';
  const copied = (table: string, columns: string): string =>
    `INSERT INTO ${table} (environment_id, entry_id, locale, ${columns})
       SELECT environment_id, '${other}', locale, ${columns} FROM ${table} WHERE entry_id = $1`;
  const damages: readonly (readonly [sql: string, problem: string, isOther?: boolean])[] = [
    ["UPDATE filter_documents SET terms = '{1}' WHERE entry_id = $1", 'lacks values'],
    ['DELETE FROM filter_keys WHERE entry_id = $1', 'lacks values'],
    ['UPDATE filter_documents SET content_type_id = entry_id WHERE entry_id = $1', 'lacks values'],
    ['DELETE FROM filter_documents WHERE entry_id = $1', 'missing'],
    [copied('filter_documents', 'content_type_id, terms'), 'not published', true],
    [copied('filter_keys', 'place, key'), 'not published', true],
  ];

  it('is compared by rebuild --check, but for what waits, and made anew by rebuild', async () => {
    const { units } = app().composition.services;
    const request = { scope: systemScope({ command: 'test' }), isReadOnly: true, lock: 'none' } as const;
    const heads = await units.run(request, (work) => work.use(EnvironmentListRepository).all());
    const head = heads.find(({ projectSlug }) => projectSlug === project.slug);
    if (head === undefined) throw new Error('the command does not see the project');
    expect((await checkEnvironment(units, head)).isOk).toBe(true);
    await index();
    const before = await rows();
    expect(before).toMatchObject([{ locale: 'en' }]);
    for (const [sql, problem, isOther = false] of damages) {
      await damaged(sql);
      const { isOk, lines } = await checkEnvironment(units, head);
      const line = `  filters of document en of ${isOther ? other : idOf('a')}: ${problem}`;
      expect([sql, isOk, lines[0]]).toEqual([sql, false, line]);
      await rebuildEnvironment(units, head);
      expect([sql, (await checkEnvironment(units, head)).isOk]).toEqual([sql, true]);
      expect(await rows()).toEqual(before);
    }
  });
});
