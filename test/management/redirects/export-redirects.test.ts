import { beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { outcome, useApp } from '../../support/desk.js';
import { RedirectDesk } from './desk.js';
import { verifies } from '../../support/verifies.js';

verifies('routing/redirects', 'routing/redirect-csv-export');

const app = useApp();
let redirects: RedirectDesk;

beforeEach(async () => {
  redirects = await RedirectDesk.open(app());
});

const notes = ['=1+1', '+1', '-1', '@a', '\t=1', '\r=1', '\uFF1D1', "'=1", "'a", 'a, "b"\nc', ' =1 '];

describe('An export', () => {
  it('exports a CSV file as a download', async () => {
    await redirects.made('/b', '/c', { status: 307, locale: 'de', note: 'so, "so"' });
    await redirects.made('/a', '/b');
    const response = await redirects.export();
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename="redirects-${redirects.desk.project.slug}.csv"`,
    );
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.text).toBe(
      'source,target,status,site,locale,matchType,queryMatch,isActive,note\r\n' +
        '/a,/b,301,main,,exact,ignore,true,\r\n' +
        '/b,/c,307,main,de,exact,ignore,true,"so, ""so"""\r\n',
    );
  });

  it('escapes cells that a spreadsheet would run', async () => {
    for (const [n, note] of notes.entries()) await redirects.made(`/${n}`, '/x', { note });
    const { text } = await redirects.export();
    for (const cell of parse(text).flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\uFF1D]/);
  });

  it('exports a file whose import changes nothing', async () => {
    for (const [n, note] of notes.entries())
      await redirects.made(`/${n} ü`, '/x', { note, isActive: n % 2 === 0 });
    await redirects.made('/p', '/q', { matchType: 'prefix', locale: 'fr', status: 308 });
    await redirects.made('/r/(\\d+)?', '/s/$1', { matchType: 'regex' });
    const { text } = await redirects.export();
    expect(await redirects.imported(text)).toMatchObject({
      skipped: notes.length + 2,
      updated: 0,
      failed: 0,
    });

    const fresh = await RedirectDesk.open(app());
    await fresh.imported(text);
    const shape = async (desk: RedirectDesk) =>
      (await desk.all()).map(
        ({ id: _id, siteId: _s, createdAt: _c, updatedAt: _u, origin: _o, ...rest }) => rest,
      );
    expect(await shape(fresh)).toEqual(await shape(redirects));
    expect((await fresh.export()).text).toBe(text);
  });

  it('exports redirects that match the filters', async () => {
    await redirects.made('/a', '/b');
    await redirects.made('/c', '/d', { locale: 'de' });
    expect((await redirects.export('?locale=de')).text.split('\r\n')).toHaveLength(3);
    expect(outcome(await redirects.export('?locale=sv'))).toEqual([404, 'locale_not_found']);
  });
});
