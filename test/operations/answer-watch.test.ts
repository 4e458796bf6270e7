import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { expectedKeys, reportOf } from '../support/answers/answer-report.js';
import { AnswerWatch, mergeSeen, type SeenValues } from '../support/answers/answer-watch.js';
import { constantKeys } from '../support/answers/constant-keys.js';
import { keyTreeOf, placesOf } from '../support/answers/key-tree.js';
import { namedOperations, skippedOperations } from '../support/answers/skipped-operations.js';
import { operations } from '../support/operations.js';

const Item = z.object({ id: z.string(), deleted: z.literal(true), kind: z.enum(['a', 'b']).nullable() });
const output = z.object({
  data: z.array(Item),
  meta: z.object({ counts: z.record(z.string(), z.int()), note: z.string() }).optional(),
});

const pathsOf = (schema: z.ZodType) => placesOf(keyTreeOf(schema)).map(({ path }) => path);

const item = (id: string, kind: string | null) => ({ id, deleted: true, kind });

/** What the environment of the tests knows of its worker. */
const stateOfWorker = () =>
  (globalThis as unknown as Record<symbol, { suite: string }>)[Symbol.for('headwater.worker')]!;

function watching(...answers: unknown[]): AnswerWatch {
  const watch = new AnswerWatch();
  for (const answer of answers) watch.answer('things.list', output, answer);
  return watch;
}

describe('The keys of an output', () => {
  it('are those of objects and elements, without values that the schema fixes', () => {
    expect(pathsOf(output)).toEqual(['data[].id', 'data[].kind', 'meta.counts', 'meta.note']);
  });

  it('are those of all alternatives of a union, and end where a schema contains itself', () => {
    interface Branch {
      name: string;
      children: Branch[];
    }
    const Branch: z.ZodType<Branch> = z.object({
      name: z.string(),
      get children() {
        return z.array(Branch);
      },
    });
    const either = z.union([
      z.object({ a: z.int(), c: Branch }),
      z.object({ a: z.string(), b: z.int() }).nullable(),
    ]);
    expect(pathsOf(either)).toEqual(['a', 'c.name', 'b']);
  });

  it('start at the nearest shape with an id, also in a union', () => {
    const named = z
      .object({ id: z.string(), more: z.object({ note: z.string() }) })
      .meta({ id: 'TestThing' });
    const keys = placesOf(keyTreeOf(z.object({ data: z.union([named, z.object({ jobId: z.string() })]) })));
    expect(keys.map(({ key }) => key)).toEqual(['TestThing.id', 'TestThing.more.note', 'data.jobId']);
  });
});

describe('The answer watch', () => {
  const once = [expect.stringMatching(/^[\w-]{10}$/), 1];
  const twice = [expect.stringMatching(/^[\w-]{10}$/), 2];

  it('notes keys with two values, of one answer or of several, and hashes of the others', () => {
    const watch = watching(
      { data: [item('1', 'a'), item('2', 'a')], meta: { counts: { a: 1 }, note: 'secret' } },
      { data: [], meta: { counts: { a: 2 }, note: 'secret' } },
    );
    expect(watch.seen).toEqual({
      'things.list': {
        answers: 2,
        keys: { 'data[].id': true, 'data[].kind': once, 'meta.counts': true, 'meta.note': twice },
      },
    });
    expect(JSON.stringify(watch.seen)).not.toContain('secret');
    expect(watch.wants('things.list')).toBe(true);
    watch.answer('things.list', output, { data: [item('3', null)], meta: { counts: {}, note: 'other' } });
    expect(watch.wants('things.list')).toBe(false);
  });

  it('counts an absent key as a value, and ignores answers of another form', () => {
    const { seen } = watching(
      { meta: { counts: {}, note: 'x' } },
      { meta: { counts: {} } },
      null,
      'text',
      [],
    );
    expect(seen['things.list']?.keys).toEqual({ 'meta.counts': twice, 'meta.note': true });
  });

  it('ignores keys of an alternative that an answer does not have', () => {
    const either = z.union([
      z.object({ id: z.string(), note: z.string() }),
      z.object({ id: z.string(), jobId: z.string() }),
    ]);
    const watch = new AnswerWatch();
    for (const answer of [
      { id: '1', note: 'x' },
      { id: '2', jobId: 'j' },
      { id: '3', note: 'x' },
    ])
      watch.answer('things.run', either, answer);
    expect(watch.seen['things.run']?.keys).toEqual({ id: true, note: twice, jobId: once });
  });

  it('notes nothing for a file without answers that follows another file in the worker', () => {
    const worker = stateOfWorker();
    const { suite } = worker;
    const watch = watching({ data: [item('1', 'a')] });
    try {
      worker.suite = 'test/later.test.ts';
      expect(watch.seen).toEqual({});
    } finally {
      worker.suite = suite;
    }
  });

  it('is merged over the files of a run', () => {
    const one = watching({ data: [item('1', 'a')] }).seen;
    const other = watching({ data: [item('1', 'b')] }).seen;
    expect(mergeSeen([one, one])['things.list']).toEqual({
      answers: 2,
      keys: { 'data[].id': twice, 'data[].kind': twice },
    });
    expect(mergeSeen([one, other])['things.list']).toEqual({
      answers: 2,
      keys: { 'data[].id': twice, 'data[].kind': true },
    });
  });
});

describe('The operations of skipped suites', () => {
  it('are those that their text names, by path, procedure or tool', () => {
    const text = [
      "await desk.post('/search/reindex');",
      'await desk.get(`/media/${id}/references?x=1`);',
      "trpc.query('sites.list');",
      "call('publish_entry', {});",
    ].join('\n');
    expect(namedOperations(text).sort()).toEqual([
      'entries.publish',
      'media.listReferences',
      'search.reindex',
      'sites.list',
    ]);
    expect(namedOperations("desk.get('/searching/reindexed'); it('lists sites');")).toEqual([]);
  });

  it('include those of the modules that a suite imports from beside it', () => {
    const suite = path.resolve('test/management/search/opensearch.test.ts');
    expect([...skippedOperations([suite])]).toContain('search.reindex');
    expect(skippedOperations([])).toEqual(new Set());
  });
});

describe('The report of answers', () => {
  const place = (path: string, key = path) => ({ path, key });
  const expected = {
    'things.list': [place('data[].id', 'Thing.id'), place('data[].kind', 'Thing.kind'), place('meta.note')],
    'things.get': [place('data.id', 'Thing.id'), place('data.kind', 'Thing.kind')],
    'entries.get': [place('data.id', 'Entry.id'), place('data.tags[]', 'Entry.tags[]')],
    'never.called': [place('data.id', 'Never.id')],
  };
  const seen = (answers: number): SeenValues => ({
    'things.list': {
      answers,
      keys: { 'data[].id': ['one', 1], 'data[].kind': ['same', 1], 'meta.note': ['hash', answers] },
    },
    'things.get': { answers, keys: { 'data.id': ['two', 1], 'data.kind': ['same', 1] } },
    'entries.get': { answers, keys: { 'data.id': true } },
  });

  /** Every suite ran, and no key is excepted. */
  const all = { exceptions: {}, skipped: new Set<string>() };

  it('lists keys of a shape, or of an operation, with one value or none', () => {
    expect(reportOf(expected, seen(2), all)).toEqual({
      summary: '3 of 5 keys took fewer than two values',
      missing: ['Entry.tags[]: no value', 'Thing.kind: one value', 'things.list meta.note: one value'],
      needless: [],
    });
  });

  it('does not judge keys that fewer than two answers had', () => {
    expect(reportOf(expected, seen(1), all).missing).toEqual(['Thing.kind: one value']);
    expect(reportOf(expected, {}, all).missing).toEqual([]);
  });

  it('omits exceptions, and names those that took two values', () => {
    const exceptions = { 'Thing.kind': 'Reason.', 'Thing.id': 'Reason.', 'Entry.tags[]': 'Reason.' };
    expect(reportOf(expected, seen(2), { ...all, exceptions })).toEqual({
      summary: '1 of 5 keys took fewer than two values',
      missing: ['things.list meta.note: one value'],
      needless: ['Thing.id'],
    });
  });

  it('does not judge keys of operations that a skipped suite calls, on whichever operation they changed', () => {
    const skipped = new Set(['things.get']);
    expect(reportOf(expected, seen(2), { ...all, skipped }).missing).toEqual([
      'Entry.tags[]: no value',
      'things.list meta.note: one value',
    ]);
    const uncalled = new Set(['never.called']);
    expect(reportOf(expected, seen(2), { ...all, skipped: uncalled }).missing).toHaveLength(3);
  });

  it('excepts only keys that exist, each with a reason', () => {
    const names = new Set(
      Object.entries(expectedKeys()).flatMap(([operation, places]) =>
        places.map(({ path, key }) => (path === key ? `${operation} ${path}` : key)),
      ),
    );
    expect(Object.keys(constantKeys).filter((name) => !names.has(name))).toEqual([]);
    for (const reason of Object.values(constantKeys)) expect(reason).toMatch(/^[A-Z].{15,}\.$/);
  });

  it('expects keys of every operation whose output is JSON, by the id of their shape', () => {
    const names = operations
      .filter(({ meta }) => meta.openapi?.textResponse === undefined)
      .map(({ name }) => name);
    expect(Object.keys(expectedKeys()).sort()).toEqual(names.sort());
    expect(expectedKeys()['sites.list']).toContainEqual({ path: 'data[].isActive', key: 'Site.isActive' });
  });
});
