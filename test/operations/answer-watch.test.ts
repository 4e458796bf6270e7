import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { expectedKeys, reportOf } from '../support/answers/answer-report.js';
import { AnswerWatch, mergeSeen } from '../support/answers/answer-watch.js';
import { keyTreeOf, placesOf } from '../support/answers/key-tree.js';
import { operations } from '../support/operations.js';

const Item = z.object({ id: z.string(), deleted: z.literal(true), kind: z.enum(['a', 'b']).nullable() });
const output = z.object({
  data: z.array(Item),
  meta: z.object({ counts: z.record(z.string(), z.int()), note: z.string() }).optional(),
});

const pathsOf = (schema: z.ZodType) => placesOf(keyTreeOf(schema)).map(({ path }) => path);

const item = (id: string, kind: string | null) => ({ id, deleted: true, kind });

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
  it('notes keys with two values, of one answer or of several, and hashes of the others', () => {
    const watch = watching(
      { data: [item('1', 'a'), item('2', 'a')], meta: { counts: { a: 1 }, note: 'secret' } },
      { data: [], meta: { counts: { a: 2 }, note: 'secret' } },
    );
    expect(watch.seen).toEqual({
      'things.list': {
        'data[].id': true,
        'data[].kind': expect.stringMatching(/^[\w-]{10}$/),
        'meta.counts': true,
        'meta.note': expect.stringMatching(/^[\w-]{10}$/),
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
    expect(seen['things.list']).toEqual({ 'meta.counts': expect.any(String), 'meta.note': true });
  });

  it('is merged over the files of a run', () => {
    const one = watching({ data: [item('1', 'a')] }).seen;
    const other = watching({ data: [item('1', 'b')] }).seen;
    expect(mergeSeen([one, one])).toEqual(one);
    expect(mergeSeen([one, other])['things.list']).toEqual({
      ...one['things.list'],
      'data[].kind': true,
    });
  });
});

describe('The report of answers', () => {
  const place = (path: string, key = path) => ({ path, key });
  const expected = {
    'things.list': [place('data[].id', 'Thing.id'), place('data[].kind', 'Thing.kind'), place('meta.note')],
    'things.get': [place('data.id', 'Thing.id'), place('data.kind', 'Thing.kind')],
    'entries.get': [place('data.id', 'Entry.id'), place('data.assigneeId', 'Entry.assigneeId')],
  };
  const seen = {
    'things.list': { 'data[].id': 'one', 'data[].kind': 'same', 'meta.note': 'hash' },
    'things.get': { 'data.id': 'two', 'data.kind': 'same' },
  };

  it('lists keys of a shape, or of an operation, with one value or none, except those with a reason', () => {
    expect(reportOf(expected, seen, true)).toEqual({
      summary: '3 of 5 keys took fewer than two values',
      missing: ['Entry.id: no value', 'Thing.kind: one value', 'things.list meta.note: one value'],
    });
  });

  it('omits operations that no test called, unless the whole run is reported', () => {
    expect(reportOf(expected, seen, false).missing).toEqual([
      'Thing.kind: one value',
      'things.list meta.note: one value',
    ]);
  });

  it('expects keys of every operation whose output is JSON, by the id of their shape', () => {
    const names = operations
      .filter(({ meta }) => meta.openapi?.textResponse === undefined)
      .map(({ name }) => name);
    expect(Object.keys(expectedKeys()).sort()).toEqual(names.sort());
    expect(expectedKeys()['sites.list']).toContainEqual({ path: 'data[].isActive', key: 'Site.isActive' });
  });
});
