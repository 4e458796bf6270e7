import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { filled } from '../../support/filled-xliff.js';
import { constraintErrors, schemaErrors, withoutXliffSchema } from '../../support/xliff.js';
import { hasXliffSchema } from '../../support/optional-servers.js';
import { newEntry, publishIn, translationIn, write } from './desk.js';

const app = useApp();

const body = {
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Dear {name}, the ' },
        { type: 'text', text: 'lock', marks: [{ type: 'link', attrs: { href: '/lock' } }] },
        { type: 'text', text: ' opens.' },
      ],
    },
    { type: 'codeBlock', attrs: { language: null }, content: [{ type: 'text', text: 'a < b' }] },
  ],
};

async function published(desk: Desk): Promise<string> {
  const id = await newEntry(desk, { title: 'Lock', body });
  await publishIn(desk, id, 'en');
  return id;
}

const urlOf = (desk: Desk, id: string, rest: string): string =>
  `${desk.project.management}/translations/${id}/de/${rest}`;
const credential = (desk: Desk): string => `Bearer ${desk.project.keys.management}`;

/** The file as text, whatever its media type. */
const exportOf = (desk: Desk, id: string, query = ''): Promise<Response> =>
  Promise.resolve(
    app()
      .request.get(urlOf(desk, id, `export${query}`))
      .set('Authorization', credential(desk))
      .responseType('text'),
  );

const exported = async (desk: Desk, id: string, query = ''): Promise<string> =>
  String((await exportOf(desk, id, query)).body);

const importFile = (desk: Desk, id: string, text: string): Promise<Response> =>
  Promise.resolve(
    app()
      .request.post(urlOf(desk, id, 'import'))
      .set('Authorization', credential(desk))
      .set('Content-Type', 'application/xliff+xml')
      .send(text),
  );

const imported = (desk: Desk, id: string, { xliff, ...rest }: { xliff: string; applyStale?: boolean }) =>
  desk.post(`/translations/${id}/de/import`, { xliff, ...rest });

const outcomes = ({ body: answer }: Response): unknown =>
  (answer as { data: { units: { unit: string; outcome: string; code: string | null }[] } }).data.units.map(
    ({ unit, outcome: result, code }) => [unit.split('-')[0], code ?? result],
  );

const germanFields = async (desk: Desk, id: string): Promise<Record<string, unknown>> => {
  const { data } = (await desk.get(`/entries/${id}?locale=de`)).body as {
    data: { fields: Record<string, unknown> };
  };
  return data.fields;
};

describe('Export and import of XLIFF', () => {
  verifies('translations/xliff', 'translations/xliff-of-published-source');

  it('round-trips an entry into an empty locale', async () => {
    const desk = await openDesk(app());
    const id = await published(desk);
    const response = await exportOf(desk, id);
    expect(response.headers['content-type']).toMatch(/^application\/xliff\+xml/);
    expect(response.headers['content-disposition']).toContain(`${id}-de.xlf`);
    const report = await imported(desk, id, { xliff: filled(String(response.body)) });
    expect(report.body.data).toMatchObject({
      entryId: id,
      locale: 'de',
      version: 2,
      appliedFields: ['title', 'body'],
    });
    expect(outcomes(report)).toEqual([
      ['title', 'applied'],
      ['body.0', 'applied'],
      ['body.1', 'applied'],
    ]);
    expect(await germanFields(desk, id)).toEqual({ title: 'Lock', body });
    expect(await translationIn(desk, id, 'de')).toMatchObject({
      status: 'needs_review',
      progress: 1,
      sourceVersion: 1,
    });
  });

  (hasXliffSchema ? it : it.skip)(
    `exports files that the official schema accepts${withoutXliffSchema}`,
    async () => {
      const desk = await openDesk(app());
      const xliff = await exported(desk, await published(desk));
      const files = { 'empty.xlf': xliff, 'filled.xlf': filled(xliff) };
      expect(await schemaErrors(files)).toEqual([]);
      expect(
        await schemaErrors({ 'bad.xlf': xliff.replace('state="initial"', 'state="bogus"') }),
      ).toContainEqual(expect.stringContaining("'bogus'"));
    },
  );

  it('exports unique ids, and references that resolve', async () => {
    const desk = await openDesk(app());
    const xliff = await exported(desk, await published(desk));
    expect(constraintErrors(xliff)).toEqual([]);
    expect(constraintErrors(xliff.replace('data id="d_p1"', 'data id="d_p2"'))).not.toEqual([]);
  });

  it('imports into the locale that the file and the path name', async () => {
    const desk = await openDesk(app());
    const id = await published(desk);
    const xliff = filled(await exported(desk, id)).replace('trgLang="de"', 'trgLang="fr"');
    const report = await desk.post(`/translations/${id}/fr/import`, { xliff });
    expect(report.body.data).toMatchObject({ locale: 'fr', appliedFields: ['title', 'body'] });
  });

  it('takes the file itself as the body', async () => {
    const desk = await openDesk(app());
    const id = await published(desk);
    const response = await importFile(desk, id, filled(await exported(desk, id)));
    expect([response.status, response.body.data?.appliedFields]).toEqual([200, ['title', 'body']]);
  });

  it('exports what is published, or the draft on request', async () => {
    const desk = await openDesk(app());
    const id = await newEntry(desk, { title: 'Lock' });
    expect(outcome(await desk.get(`/translations/${id}/de/export`))).toEqual([409, 'source_missing']);
    expect(await exported(desk, id, '?source=draft')).toContain('>Lock</source>');
    await publishIn(desk, id, 'en');
    await write(desk, id, { locale: 'en', fields: { title: 'Weir' } });
    expect(await exported(desk, id)).toContain('>Lock</source>');
    expect(outcome(await desk.get(`/translations/${id}/en/export`))).toEqual([422, 'source_locale']);
    expect(outcome(await desk.get(`/translations/${id}/xx/export`))).toEqual([404, 'locale_not_found']);
  });

  it('does not apply fields with missing, untranslated or changed units', async () => {
    const desk = await openDesk(app());
    const id = await published(desk);
    const xliff = filled(await exported(desk, id));
    const lacking = xliff.replace(/<unit id="body\.1.*?<\/unit>/s, '');
    expect(outcomes(await imported(desk, id, { xliff: lacking }))).toEqual([
      ['title', 'applied'],
      ['body.0', 'incomplete_field'],
      ['body.1', 'missing_unit'],
    ]);
    expect(await germanFields(desk, id)).toEqual({ title: 'Lock' });
    const target = xliff.lastIndexOf('<target>Dear ');
    const unprotected = `${xliff.slice(0, target)}${xliff.slice(target).replace(/<ph id="p1".*?\/>/, '{name}')}`;
    expect(outcomes(await imported(desk, id, { xliff: unprotected }))).toContainEqual([
      'body.0',
      'changed_codes',
    ]);
    const empty = await exported(desk, id);
    expect(outcomes(await imported(desk, id, { xliff: empty }))).toContainEqual(['body.1', 'untranslated']);
  });

  it('reports a changed source and applies it only on request, as outdated', async () => {
    const desk = await openDesk(app());
    const id = await published(desk);
    const xliff = filled(await exported(desk, id));
    await write(desk, id, { locale: 'en', fields: { title: 'Weir' } });
    expect(outcomes(await imported(desk, id, { xliff }))).toContainEqual(['title', 'applied']);
    await publishIn(desk, id, 'en');
    expect(outcomes(await imported(desk, id, { xliff }))).toContainEqual(['title', 'stale_source']);
    const forced = await imported(desk, id, { xliff, applyStale: true });
    expect(forced.body.data.appliedFields).toEqual(['title', 'body']);
    expect(await translationIn(desk, id, 'de')).toMatchObject({
      status: 'needs_review',
      outdated: [{ field: 'title', sourceVersion: 1, then: 'Lock', now: 'Weir' }],
    });
  });

  it('refuses files of another locale, entry or version, and document types, with the path', async () => {
    const desk = await openDesk(app());
    const id = await published(desk);
    const xliff = filled(await exported(desk, id));
    const refused = async (file: string) => issues(await imported(desk, id, { xliff: file }));
    expect(await refused(xliff.replace('trgLang="de"', 'trgLang="fr"'))).toEqual([
      ['xliff.trgLang', 'wrong_locale'],
    ]);
    expect(await refused(xliff.replace('srcLang="en"', 'srcLang="fr"'))).toEqual([
      ['xliff.srcLang', 'wrong_locale'],
    ]);
    expect(await refused(xliff.replace(id, '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'))).toEqual([
      ['xliff.file.original', 'wrong_entry'],
    ]);
    expect(await refused(xliff.replace('versions/1', 'versions/0'))).toEqual([
      ['xliff.file.original', 'unknown_version'],
    ]);
    expect(await refused(xliff.replace('<xliff', '<!DOCTYPE x SYSTEM "http://127.0.0.1/x"><xliff'))).toEqual([
      ['xliff', 'doctype'],
    ]);
    expect(await germanFields(desk, id)).toEqual({});
  });

  it('refuses a file beyond the limit with 413', async () => {
    const desk = await openDesk(app());
    const id = await published(desk);
    expect(outcome(await importFile(desk, id, 'x'.repeat(8_388_609)))).toEqual([413, 'payload_too_large']);
  });
});
