import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { errorTable } from '../../contracts/error-codes.js';
import { send } from '../support/call.js';
import { openScene, type Scene } from '../support/scene.js';
import { exampleOf, restCall, restOperations, rightKey } from '../support/operations.js';
import { rowOf } from '../resources/index.js';
import { verifies } from '../support/verifies.js';
import { fc } from '../support/properties.js';
import { useOwnApp } from '../support/desk.js';
import { sampled, sampleOf } from '../support/extent.js';

const app = useOwnApp();

/** Values that have broken services before, and values of every JSON type. */
const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    '0',
    "' OR '1'='1",
    '%',
    '\\',
    '../../etc/passwd',
    '{{7*7}}',
    '\u202e\u200b',
    'İ',
    '𐏿'.repeat(300),
    'x'.repeat(4000),
    -1,
    0,
    1e308,
    2 ** 31,
    2 ** 53 - 1,
    true,
    null,
    [],
    {},
    [[]],
    [null],
    { _ref: 'x' },
    { then: 1 },
    { toString: 1 },
    { length: -1 },
    '2026-02-30',
    '99999-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    'en-x-private',
    '00000000-0000-0000-0000-000000000000',
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Password-like values are fixed: the secret watch would find arbitrary ones everywhere. */
const secrets: ReadonlySet<string> = new Set([
  'password',
  'refreshToken',
  'currentPassword',
  'newPassword',
  'resetToken',
]);

/** A change at one place: a known or unknown key gets another value. */
const change = (keys: string[]) =>
  fc.record({ key: fc.constantFrom(...keys), value: hostile, isInsideFields: fc.boolean() });

const tried = restOperations.filter(({ name }) => !rowOf(name).needsOwnScene && name !== 'sessions.login');

describe.each(sampleOf(tried, 70))('$name with hostile input', ({ operation, rest }) => {
  verifies('limits/input-unaltered', 'http/envelopes');

  it('succeeds or returns the envelope of a declared failure', async () => {
    // An accepted input may change the scene, so each operation has its own.
    const scene: Scene = await openScene(app());
    const example = await exampleOf(operation)(scene);
    const key = await rightKey(scene, operation);
    const keys = Object.keys(operation.input.shape).filter((name) => name !== 'projectSlug');
    const takesBody = ['POST', 'PUT', 'PATCH'].includes(rest.method);
    if (keys.length === 0) return;
    await fc.assert(
      fc.asyncProperty(change(keys), async ({ key: name, value, isInsideFields }) => {
        const isText = !takesBody || rest.path.includes(`{${name}}`);
        const text = isText && typeof value !== 'string' ? JSON.stringify(value) : value;
        const plain = secrets.has(name) && typeof text === 'string' ? `${text}${randomUUID()}` : text;
        const swapped =
          isInsideFields && name === 'fields' ? { title: value, related: value, body: value } : plain;
        const call = restCall(rest, { ...example, [name]: swapped });
        const { status, body } = await send(app(), { ...call, key });
        expect([JSON.stringify(call), status < 500]).toEqual([JSON.stringify(call), true]);
        if (status < 300) return;
        expect(Object.keys(errorTable)).toContain(body.error);
        expect(
          Object.keys(body as object).filter((one) => !['error', 'message', 'details'].includes(one)),
        ).toEqual([]);
      }),
      { numRuns: sampled(6, 40) },
    );
  });
});
