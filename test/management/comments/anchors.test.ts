import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { paragraphs } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { article, change } from '../entries/history.js';
import { anchorOf, said, say } from './threads.js';

const app = useApp();

const inTitle = (from: number, to: number, locale = 'en') => ({
  anchor: { field: 'title', locale, from, to },
});

/** The statements of an update of the title. */
async function statementsOf(desk: Desk, id: string, title: string): Promise<string[]> {
  const { version } = (await desk.get(`/entries/${id}`)).body.data;
  const { result, statements } = await app().recordStatements(() =>
    desk.put(`/entries/${id}`, { version, fields: { title } }),
  );
  expect(result.status).toBe(200);
  const first = statements.findIndex((sql) => sql.startsWith('BEGIN'));
  return statements.filter((sql, index) => index >= first && !sql.includes('note_api_key_uses'));
}

describe('An anchored comment', () => {
  verifies('entries/comment-anchors');

  it('follows its text, and is orphaned with its quote when the text is deleted', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'The lock opens', body: paragraphs('One two', 'Three') });
    const title = await said(desk, id, 'Which one?', inTitle(4, 8));
    const body = await said(desk, id, 'Why?', { anchor: { field: 'body', locale: 'en', from: 10, to: 15 } });
    const whole = await said(desk, id, 'Too short', { anchor: { field: 'body', locale: 'en' } });
    expect(title.anchor).toEqual({
      field: 'title',
      block: null,
      locale: 'en',
      from: 4,
      to: 8,
      quote: 'lock',
      orphaned: false,
    });
    expect(body.anchor).toMatchObject({ from: 10, to: 15, quote: 'Three' });
    expect(whole.anchor).toEqual({
      field: 'body',
      block: null,
      locale: 'en',
      from: null,
      to: null,
      quote: null,
      orphaned: false,
    });

    const fields = { title: 'The upper lock opens', body: paragraphs('Zero', 'One two', 'Three') };
    expect((await change(desk, id, { fields })).status).toBe(200);
    expect(await anchorOf(desk, id, title.id)).toMatchObject({ from: 10, to: 14, quote: 'lock' });
    expect(await anchorOf(desk, id, body.id)).toMatchObject({ from: 16, to: 21 });

    await change(desk, id, { fields: { title: 'The gate opens', body: null } });
    const gone = { from: null, to: null, orphaned: true };
    expect(await anchorOf(desk, id, title.id)).toEqual({ ...title.anchor, ...gone });
    expect(await anchorOf(desk, id, body.id)).toEqual({ ...body.anchor, ...gone });
    expect(await anchorOf(desk, id, whole.id)).toEqual(whole.anchor);
  });

  it('stays in its locale, and is in every locale in shared text', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'The lock', code: 'A-17 old' });
    await change(desk, id, { locale: 'de', fields: { title: 'Die Schleuse' } });
    const en = await said(desk, id, 'en', inTitle(4, 8));
    const de = await said(desk, id, 'de', inTitle(4, 12, 'de'));
    const shared = await said(desk, id, 'Old?', { anchor: { field: 'code', locale: 'en', from: 5, to: 8 } });
    await change(desk, id, { locale: 'de', fields: { title: 'Hier: Die Schleuse', code: 'B A-17 old' } });
    expect(await anchorOf(desk, id, en.id)).toMatchObject({ from: 4, to: 8 });
    expect(await anchorOf(desk, id, de.id)).toMatchObject({ from: 10, to: 18, quote: 'Schleuse' });
    expect(await anchorOf(desk, id, shared.id)).toMatchObject({ from: 7, to: 10 });
  });

  it('follows what is restored and copied between locales', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'lock' });
    await change(desk, id, { fields: { title: 'The upper lock' } });
    const comment = await said(desk, id, 'Which?', inTitle(10, 14));
    await change(desk, id, { locale: 'de', fields: { title: 'Die lock' } });
    const german = await said(desk, id, 'Ja?', inTitle(4, 8, 'de'));
    expect((await desk.post(`/entries/${id}/versions/1/restore`, {})).status).toBe(200);
    expect(await anchorOf(desk, id, comment.id)).toMatchObject({ from: 0, to: 4 });
    const copied = await desk.post(`/entries/${id}/copy-locale`, {
      fromLocale: 'en',
      toLocale: 'de',
      overwrite: true,
    });
    expect(copied.status).toBe(200);
    expect(await anchorOf(desk, id, german.id)).toMatchObject({ from: 0, to: 4 });
  });

  it('stays with a renamed field and is orphaned with a deleted one', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Title', code: 'A-17' });
    const comment = await said(desk, id, 'Hm', { anchor: { field: 'code', locale: 'en', from: 0, to: 1 } });
    const renamed = await desk.post('/content-types/article/fields/code/rename', { apiName: 'number' });
    expect(renamed.status).toBe(200);
    expect(await anchorOf(desk, id, comment.id)).toMatchObject({ field: 'number', from: 0, to: 1 });
    await change(desk, id, { fields: { number: 'No. A-17' } });
    expect(await anchorOf(desk, id, comment.id)).toMatchObject({ field: 'number', from: 4, to: 5 });
    expect((await desk.delete('/content-types/article/fields/number?force=true')).status).toBe(200);
    expect(await anchorOf(desk, id, comment.id)).toMatchObject({
      field: 'code',
      from: null,
      orphaned: true,
      quote: 'A',
    });
  });

  it('costs one statement more per write, and a write without any none', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'one two' });
    const plain = await statementsOf(desk, id, 'one two three');
    await said(desk, id, 'Whole', { anchor: { field: 'title', locale: 'en' } });
    expect(await statementsOf(desk, id, 'two three')).toHaveLength(plain.length);
    await said(desk, id, 'Part', inTitle(0, 3));
    await said(desk, id, 'Part', inTitle(4, 9));
    expect(await statementsOf(desk, id, 'one two three')).toHaveLength(plain.length + 1);
  });

  it('is refused outside the text', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'a😀b', related: [] });
    const refused = async (anchor: object) => issues(await say(desk, id, 'x', { anchor }));
    const place = { field: 'title', locale: 'en' };
    expect(await refused({ ...place, from: 1 })).toEqual([['anchor.to', 'required']]);
    expect(await refused({ ...place, to: 1 })).toEqual([['anchor.from', 'required']]);
    expect(await refused({ ...place, from: 1, to: 1 })).toEqual([['anchor.to', 'empty_range']]);
    expect(await refused({ ...place, from: 0, to: 5 })).toEqual([['anchor.from', 'no_text']]);
    expect(await refused({ ...place, from: 0, to: 2 })).toEqual([['anchor.from', 'split_character']]);
    expect(await refused({ ...place, field: 'body', from: 0, to: 2 })).toEqual([['anchor.from', 'no_text']]);
    expect(await refused({ ...place, field: 'related', from: 0, to: 2 })).toEqual([
      ['anchor.from', 'no_text'],
    ]);
    expect(await refused({ ...place, field: 'gone' })).toEqual([['anchor.field', 'unknown_field']]);
    expect(outcome(await say(desk, id, 'x', { anchor: { field: 'title', locale: 'it' } }))).toEqual([
      404,
      'locale_not_found',
    ]);
  });
});
