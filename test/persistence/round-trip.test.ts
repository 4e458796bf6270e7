import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { createType, everyField, paragraphs } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { fc } from '../support/properties.js';
import { useOwnApp } from '../support/desk.js';

const app = useOwnApp();
let project: TestProject;

beforeAll(async () => {
  project = await createProject(app(), { locales: ['en'] });
  await createType(app(), project, { apiName: 'everything', fields: everyField });
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(-0, 1e21, 5e-324, 1.7976931348623157e308, 0.1 + 0.2),
);

/** Valid and invalid values of each kind. */
const values = {
  title: text,
  summary: text,
  body: fc
    .array(
      text.filter((one) => one !== ''),
      { maxLength: 3 },
    )
    .map((all) => paragraphs(...all)),
  handle: fc.string({ maxLength: 12 }),
  count: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(2 ** 53, -(2 ** 53), 1.5)),
  ratio: number,
  isFine: fc.boolean(),
  day: fc.oneof(
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
    fc.constant('2026-02-30'),
  ),
  moment: fc.oneof(
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constant('2026-01-01T00:00:00+05:30'),
  ),
  level: fc.constantFrom('low', 'high', 'none'),
  link: fc.oneof(fc.webUrl(), fc.constant('javascript:alert(1)')),
  contact: fc.emailAddress(),
  paint: fc.constantFrom('#1A2b3c', '#1a2b3c80', '#fff'),
  place: fc.record({
    lat: fc.double({ min: -91, max: 91, noNaN: true }),
    lng: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
  data: fc.jsonValue({ maxDepth: 5 }),
} as const;

/** JSON does not distinguish zero and -0. */
const sameAs = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** Writes a value, reads the draft, publishes it and reads it from delivery. */
async function roundTrip(name: string, value: unknown): Promise<void> {
  const { management, delivery, keys, siteId } = project;
  const key = keys.management;
  const fields = { title: 'Title', [name]: value };
  const written = await send(app(), {
    method: 'POST',
    path: `${management}/entries`,
    key,
    body: { contentTypeApiName: 'everything', siteId, fields },
  });
  expect([201, 409, 422]).toContain(written.status);
  if (written.status !== 201) return;
  const { id } = written.body.data as { id: string };
  const draft = await send(app(), { method: 'GET', path: `${management}/entries/${id}`, key });
  const kept = value === null ? undefined : sameAs(value);
  expect(draft.body.data.fields[name]).toEqual(kept);
  const published = await send(app(), {
    method: 'POST',
    path: `${management}/entries/${id}/publish`,
    key,
    body: {},
  });
  expect([200, 422]).toContain(published.status);
  if (published.status !== 200) return;
  const live = await send(app(), { method: 'GET', path: `${delivery}/entries/${id}` });
  const delivered = live.body.data.fields[name] as { raw?: unknown } | null;
  expect(name === 'body' ? delivered?.raw : delivered).toEqual(kept ?? null);
}

describe('A value of a field', () => {
  verifies('limits/input-unaltered', 'content/rich-text');

  it.each(Object.keys(values) as (keyof typeof values)[])(
    'stores a value of %s exactly as written or rejects it',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(values[name] as fc.Arbitrary<unknown>, (value) => roundTrip(name, value)),
        { numRuns: 40 },
      );
    },
  );
});
