import { describe, expect, it } from '@jest/globals';
import { openDesk, useApp, type Desk } from '../../support/desk.js';
import { createEntry, createType } from '../../support/factories/content.js';
import { fc } from '../../support/properties.js';
import { verifies } from '../../support/verifies.js';
import { change } from './history.js';

const app = useApp();
const LOCALES = ['en', 'de'] as const;
const NAMES = ['title', 'text', 'code', 'terms'] as const;
type Name = (typeof NAMES)[number];
type Values = Readonly<Partial<Record<Name, string>>>;

/** Letters that do not repeat, as a text that compresses badly. */
const long = (seed: number): string =>
  Array.from({ length: 600 }, (_, index) => ((seed + 1) * (index + 7919) * 2_654_435_761).toString(36)).join(
    ' ',
  );

async function desk(): Promise<Desk> {
  const opened = await openDesk(app(), { locales: [...LOCALES] });
  await createType(opened.app, opened.project, {
    apiName: 'report',
    name: 'Report',
    fields: NAMES.map((apiName) => ({
      apiName,
      type: 'longText',
      localized: apiName === 'title' || apiName === 'text',
    })),
  });
  return opened;
}

const report = async ({ app: service, project }: Desk, fields: Values): Promise<string> =>
  (await createEntry(service, project, { contentTypeApiName: 'report', fields, locale: 'en' })).id;

interface Draft {
  readonly fields: Values;
  readonly locales: readonly { readonly locale: string }[];
}

interface Step {
  readonly locale: (typeof LOCALES)[number];
  readonly name: Name;
  /** Null removes it. */
  readonly value: string | null;
}

const value = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 99 }).map((number) => `Value ${String(number)}`) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 99 }).map(long) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const steps = fc.array(
  fc.record<Step>({ locale: fc.constantFrom(...LOCALES), name: fc.constantFrom(...NAMES), value }),
  { minLength: 4, maxLength: 12 },
);

const snapshot = async (at: Desk, id: string, version: number): Promise<unknown> =>
  (await at.get(`/entries/${id}/versions/${String(version)}`)).body.data.snapshot.fields;

/** The values of each locale that the entry has. */
async function current(at: Desk, id: string): Promise<Record<string, Values>> {
  const values: Record<string, Values> = {};
  for (const locale of LOCALES) {
    const { status, body } = await at.get(`/entries/${id}?locale=${locale}`);
    const { fields, locales } = (status === 200 ? body.data : { locales: [] }) as Draft;
    if (locales.some((one) => one.locale === locale))
      values[locale] = Object.fromEntries(Object.entries(fields).filter(([, stored]) => stored !== null));
  }
  return values;
}

/** Bytes of the values that a version stores itself. */
const stored = async (at: Desk, id: string): Promise<number[]> => {
  const rows = await app().rows<{ bytes: number }>(
    at.project.tenantId,
    `SELECT length(fields::text || shared_fields::text) AS bytes FROM entry_versions WHERE entry_id = $1 ORDER BY version_num, locale`,
    [id],
  );
  return rows.map(({ bytes }) => bytes);
};

describe('Versions of large entries', () => {
  verifies('entries/versions');

  it('are read as they were written, whatever changed in between', async () => {
    const at = await desk();
    await fc.assert(
      fc.asyncProperty(steps, async (changes) => {
        const first = { title: 'First', text: long(1), code: 'A', terms: long(2) };
        const id = await report(at, first);
        const known = new Map([[1, await snapshot(at, id, 1)]]);
        for (const { locale, name, value: next } of changes) {
          const { body } = await change(at, id, { locale, fields: { [name]: next } });
          const { version } = body.data as { version: number };
          known.set(version, await current(at, id));
        }
        for (const [version, values] of known) expect(await snapshot(at, id, version)).toEqual(values);
      }),
      { numRuns: 12 },
    );
  });

  it('store a changed title without the text again, localized or not', async () => {
    const at = await desk();
    const id = await report(at, { title: 'First', text: long(1), code: 'A', terms: long(2) });
    await change(at, id, { fields: { title: 'Second' } });
    await change(at, id, { fields: { code: 'B' } });
    await change(at, id, { fields: { text: long(3), terms: long(4) } });
    await change(at, id, { fields: { title: 'Third' } });
    const [whole = 0, title, code, rewritten = 0, last] = await stored(at, id);
    expect(whole).toBeGreaterThan(10_000);
    expect(rewritten).toBeGreaterThan(10_000);
    for (const bytes of [title, code, last]) expect(bytes).toBeLessThan(200);
  });

  it('restore, compare and publish what they had, also after a rename', async () => {
    const at = await desk();
    const id = await report(at, { title: 'First', text: long(1), terms: long(2) });
    await change(at, id, { fields: { title: 'Second' } });
    await at.post(`/entries/${id}/publish`, {});
    await at.post('/content-types/report/fields/title/rename', { apiName: 'heading' });
    await change(at, id, { fields: { heading: 'Third', terms: null } });
    const versions = await Promise.all([1, 2, 3].map((version) => snapshot(at, id, version)));
    expect(versions).toEqual([
      { en: { heading: 'First', text: long(1), terms: long(2) } },
      { en: { heading: 'Second', text: long(1), terms: long(2) } },
      { en: { heading: 'Third', text: long(1) } },
    ]);
    const diff = await at.get(`/entries/${id}/versions/diff?from=1&to=2`);
    expect(diff.body.data.changes).toEqual([{ locale: 'en', field: 'heading', from: 'First', to: 'Second' }]);
    await at.post(`/entries/${id}/versions/2/restore`, { version: 3 });
    expect(await current(at, id)).toEqual(versions[1]);
  });
});
