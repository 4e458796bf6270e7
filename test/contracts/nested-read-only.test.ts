import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { NestedReadOnly } from '../../src/surfaces/rest/read-only-keys.js';
import { verifies } from '../support/verifies.js';

const read = z.object({
  id: z.string(),
  steps: z.array(z.object({ slug: z.string(), title: z.string(), uses: z.int() })),
  origin: z.object({ at: z.string(), by: z.object({ name: z.string(), id: z.string() }) }).nullable(),
  settings: z.record(z.string(), z.unknown()),
});
const update = z.strictObject({
  steps: z.array(z.union([z.string(), z.strictObject({ slug: z.string(), title: z.string().optional() })])),
  origin: z.strictObject({ by: z.strictObject({ name: z.string() }).optional() }).nullish(),
  settings: z.record(z.string(), z.unknown()).optional(),
});
const current = {
  id: 'x',
  steps: [
    { slug: 'a', title: 'A', uses: 1 },
    { slug: 'b', title: 'B', uses: 2 },
  ],
  origin: { at: 'noon', by: { name: 'Ada', id: '7' } },
  settings: { uses: 5 },
};

const remove = (sent: object) => NestedReadOnly.of(read, update)?.remove(sent, current);

describe('Read-only keys of objects within a body', () => {
  verifies('http/input-read-modify-write');

  it('are removed where they have their current values, on every level', () => {
    const { steps, origin, settings } = current;
    expect(remove({ steps: [steps[1], 'c', steps[0]], origin, settings })).toEqual({
      value: {
        steps: [{ slug: 'b', title: 'B' }, 'c', { slug: 'a', title: 'A' }],
        origin: { by: { name: 'Ada' } },
        settings,
      },
      different: [],
    });
  });

  it('are reported with their path where they have others, or are of an item that does not exist', () => {
    const steps = [
      { slug: 'b', uses: 1 },
      { slug: 'a', uses: 1 },
      { slug: 'c', uses: 1 },
    ];
    expect(remove({ steps, origin: { by: { name: 'Eve', id: '8' } } })?.different).toEqual([
      ['steps', 0, 'uses'],
      ['steps', 2, 'uses'],
      ['origin', 'by', 'id'],
    ]);
  });

  it('are none of shapes that are the same, or take unknown keys', () => {
    expect(NestedReadOnly.of(z.object({ a: z.string() }), z.strictObject({ a: z.string() }))).toBeUndefined();
    expect(NestedReadOnly.of(z.object({ a: z.string() }), z.looseObject({}))).toBeUndefined();
  });
});
