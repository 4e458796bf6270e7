import { beforeAll, describe, expect, it } from '@jest/globals';
import { parseHTML } from 'linkedom';
import type { Response } from 'supertest';
import type { DeliveryEntry } from '../../contracts/publishing/delivery/content-entry.js';
import { EntryHtml } from '../../src/surfaces/site/entry-html.js';
import { send } from '../support/call.js';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { createEntry, createType, paragraphs, type TestEntry } from '../support/factories/content.js';
import { uploadAsset, type TestAsset } from '../support/factories/media.js';
import { createLivePage, createPage, createPageType } from '../support/factories/tree.js';
import { verifies } from '../support/verifies.js';

const app = useApp();
let desk: Desk;
let asset: TestAsset;
let author: TestEntry;
let sheet: TestEntry;
let session: string;

const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>';

const link = (id: string, type: string) => ({ _ref: id, _type: type });

const values = () => ({
  title: `Title ${HOSTILE}`,
  lead: `Lead ${HOSTILE}`,
  lines: ['One', HOSTILE],
  body: paragraphs('First words', HOSTILE),
  handle: 'a-handle',
  count: 0,
  isFine: false,
  day: '2026-01-02',
  level: 'low',
  address: `https://example.com/?q=${encodeURIComponent(HOSTILE)}`,
  mail: 'a@example.com',
  place: { lat: 52.5, lng: 13.4 },
  data: { note: '</pre><script>alert(3)</script>' },
  author: link(author.id, 'author'),
  picture: link(asset.id, 'MediaAsset'),
  parts: [
    {
      _type: 'part',
      fields: { heading: `Part ${HOSTILE}`, inner: [{ _type: 'part', fields: { heading: 'Inner' } }] },
    },
  ],
});

const oneOfEachKind =
  'longText lead, text title, richText body, slug handle, integer count, boolean isFine, date day, url address, ' +
  'email mail, location place, json data, reference author, media picture, text empty';
const fields = [
  ...oneOfEachKind.split(', ').map((pair) => {
    const [type, apiName] = pair.split(' ');
    return { apiName, type };
  }),
  { apiName: 'lines', type: 'text', isList: true },
  { apiName: 'level', type: 'select', settings: { options: [{ value: 'low' }] } },
  { apiName: 'parts', type: 'blocks', localized: false },
];

beforeAll(async () => {
  desk = await openDesk(app());
  const heading = { apiName: 'heading', type: 'text' };
  const inner = { apiName: 'inner', type: 'blocks', localized: false };
  await createType(app(), desk.project, { apiName: 'part', isBlock: true, fields: [heading, inner] });
  await createType(app(), desk.project, { apiName: 'sheet', displayField: 'title', fields });
  await createPageType(app(), desk.project);
  author = await createEntry(app(), desk.project, {
    contentTypeApiName: 'author',
    fields: { name: `Ada ${HOSTILE}` },
  });
  asset = await uploadAsset(app(), desk.project);
  sheet = await createEntry(app(), desk.project, { contentTypeApiName: 'sheet', fields: values() });
  const made = await desk.post('/preview-sessions', { siteId: desk.project.siteId });
  session = (made.body as { data: { token: string } }).data.token;
});

const get = (path: string): Promise<Response> => send(app(), { method: 'GET', path });
const base = (): string => `/preview/${desk.project.slug}/main`;
const pageOf = ({ text }: Response) => parseHTML(text).document;

/** The page of an entry by a preview link. */
async function linked(id: string, body: object = {}): Promise<Response> {
  const { url } = (await desk.post(`/entries/${id}/preview`, body)).body.data as { url: string };
  return get(String((await app().request.get(url).set('Accept', 'text/html')).headers.location));
}

describe('A page that the service renders', () => {
  verifies('publication/rendered-pages');

  it('shows every value of a draft, escaped, with the field that it is of', async () => {
    const { status, type, text, headers } = await linked(sheet.id);
    const document = pageOf({ text } as Response);
    expect([status, type]).toEqual([200, 'text/html']);
    expect(document.querySelector('h1')?.textContent).toBe(values().title);
    expect(document.querySelector('main')?.querySelector('script, img[onerror]')).toBeNull();
    const shown = [...document.querySelectorAll('[data-source]')].map((element) => {
      const [entryId, locale, path] = JSON.parse(element.getAttribute('data-source') ?? '') as string[];
      expect([entryId, locale]).toEqual([sheet.id, 'en']);
      return [path?.replace(/\[[^\]]*\]/g, '[]'), element.textContent.replace(/\s+/g, ' ').trim()];
    });
    expect(Object.fromEntries(shown)).toEqual({
      title: values().title,
      lead: values().lead,
      lines: `One ${HOSTILE}`,
      body: `First words${HOSTILE}`,
      count: 'Count0',
      isFine: 'Is fine✗',
      day: 'Day2026-01-02',
      level: 'Levellow',
      address: `Address${values().address}`,
      mail: 'Maila@example.com',
      place: 'Place52.5, 13.4',
      data: `Data${JSON.stringify(values().data, null, 2).replace(/\s+/g, ' ')}`,
      author: `AuthorAda ${HOSTILE}`,
      picture: '',
      parts: `Part ${HOSTILE} Inner`,
      'parts[].heading': `Part ${HOSTILE}`,
      'parts[].inner': 'Inner',
      'parts[].inner[].heading': 'Inner',
    });
    expect(document.querySelectorAll('pre').length).toBe(1);
    expect(document.querySelector('img')?.getAttribute('src')).toBe(asset.url);
    expect(document.querySelector('footer')?.textContent).toContain('preview address');
    expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('permits its own script and style only, by a nonce of this response', async () => {
    const pages = [await linked(sheet.id), await linked(sheet.id)];
    const nonces = pages.map((page) => {
      const policy = page.headers['content-security-policy'] ?? '';
      const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      expect(policy.split('; ')).toEqual([
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
      ]);
      const scripts = [...pageOf(page).querySelectorAll('script')];
      expect(scripts.map((script) => [script.getAttribute('src'), script.getAttribute('nonce')])).toEqual([
        ['/preview.js', nonce],
      ]);
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
  });

  it('permits pictures of the origins that it shows, and of no others', async () => {
    const catalog = await app().composition.services.catalogs.find(desk.project.slug, null);
    if (catalog === undefined) throw new Error('The project is missing.');
    const html = new EntryHtml({ catalog, sources: {}, hrefOf: () => undefined });
    const body = {
      html: '<figure><img src="https://two.example/b.png" alt=""></figure><p><a href="/x">x</a></p>',
    };
    const picture = { url: 'https://one.example/a.png', mimeType: 'image/png', fileName: 'a.png' };
    const entry = { _type: 'sheet', _slug: 'sheet', fields: { picture, body } };
    const text = html.entry(entry as unknown as DeliveryEntry, '');
    expect([...html.origins].sort()).toEqual(['https://one.example', 'https://two.example']);
    expect(text).toContain('<a>x</a>');
    expect(text).not.toContain('data-source');
  });

  it('shows the version and the locale of a preview link, and no other entry', async () => {
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'First' },
    });
    await desk.put(`/entries/${id}`, { version: 1, fields: { name: 'Second' } });
    const titleIn = (page: Response) => pageOf(page).querySelector('h1')?.textContent;
    expect(titleIn(await linked(id, { versionNum: 1 }))).toBe('First');
    expect(titleIn(await linked(id))).toBe('Second');
    const made = await desk.post(`/entries/${id}/preview`, {});
    const { token } = (made.body as { data: { token: string } }).data;
    const other = await get(`${base()}?entry=${sheet.id}&previewToken=${token}`);
    expect([other.status, titleIn(other)]).toEqual([403, 'This preview cannot be shown']);
  });

  it('is refused without a valid token, and in the language of the page', async () => {
    for (const query of ['', '?previewToken=x.y.z', `?previewToken=${session}x`]) {
      const { status, type } = await get(base() + query);
      expect([query, status, type]).toEqual([query, 403, 'text/html']);
    }
    const german = pageOf(await get(`${base()}?locale=de`));
    expect(german.querySelector('h1')?.textContent).toBe('Diese Vorschau kann nicht gezeigt werden');
    expect((await send(app(), { method: 'POST', path: base() })).status).toBe(405);
    expect((await get(`/preview/unknown-project/main?previewToken=${session}`)).status).not.toBe(200);
  });
});

describe('A preview session without a preview address', () => {
  verifies('publication/rendered-pages');

  it('walks through the pages of the site by their links, drafts and published ones', async () => {
    const slugs = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
    for (const [index, slug] of slugs.entries())
      await (index % 2 === 0 ? createPage : createLivePage)(app(), desk.project, { slug });
    const home = await createPage(app(), desk.project, { slug: 'start' });
    await desk.put('/sites/main', { homeEntryId: home.id });
    const walked = new Map<string, string>();
    const waiting = [`${base()}?previewToken=${session}`];
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      if (walked.has(address)) continue;
      const page = await get(address);
      expect([address, page.status]).toEqual([address, 200]);
      const document = pageOf(page);
      walked.set(address, document.querySelector('h1')?.textContent ?? '');
      const links = [...document.querySelectorAll('nav:first-of-type a')].map((one) =>
        one.getAttribute('href'),
      );
      for (const href of links) {
        expect(href).toContain(`previewToken=${session}`);
        waiting.push(href ?? '');
      }
    }
    for (const slug of ['start', ...slugs]) expect([...walked.values()]).toContain(`Page ${slug}`);
    const missing = await get(`${base()}/nowhere?previewToken=${session}`);
    expect([missing.status, pageOf(missing).querySelectorAll('nav li').length > 5]).toEqual([404, true]);
  });

  it('follows redirects, within the site and elsewhere', async () => {
    await desk.post('/redirects', { siteId: desk.project.siteId, source: '/old', target: '/about?a=1#top' });
    await desk.post('/redirects', {
      siteId: desk.project.siteId,
      source: '/away',
      target: 'https://example.com/x',
    });
    const moved = await get(`${base()}/old?previewToken=${session}`);
    const query = new URLSearchParams({ a: '1', previewToken: session });
    expect([moved.status, moved.headers.location]).toEqual([302, `${base()}/about?${query.toString()}#top`]);
    const away = await get(`${base()}/away?previewToken=${session}`);
    expect(away.headers.location).toBe('https://example.com/x');
  });

  it('links texts and references to pages, and the page to its languages', async () => {
    await desk.put('/sites/main', { localePathStrategy: 'prefix', locales: ['en', 'de', 'fr'] });
    const target = await createPage(app(), desk.project, { slug: "it's-far" });
    await desk.put(`/entries/${target.id}`, {
      version: target.version,
      locale: 'de',
      slug: 'fern',
      fields: { title: 'Fern' },
    });
    const mark = (attrs: object) => ({ type: 'link', attrs });
    const text = (words: string, attrs: object) => ({ type: 'text', text: words, marks: [mark(attrs)] });
    const body = {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [
            text('page', { entryId: target.id, anchor: 'end' }),
            text('path', { href: '/a?b=1' }),
            text('out', { href: 'https://example.com/' }),
          ],
        },
      ],
    };
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'sheet',
      fields: { title: 'Links', body, author: link(target.id, 'page') },
    });
    const document = pageOf(await get(`${base()}?entry=${id}&locale=en&previewToken=${session}`));
    const hrefs = [...document.querySelectorAll('article a')].map((one) => one.getAttribute('href'));
    const own = `previewToken=${session}`;
    expect(hrefs).toEqual([
      `${base()}/it's-far?${own}#end`,
      `${base()}/a?b=1&${own}`,
      'https://example.com/',
      `${base()}/it's-far?${own}`,
    ]);
    const page = pageOf(await get(`${base()}/it's-far?${own}`));
    const languages = [...page.querySelectorAll('.languages a')];
    const current = languages.map((one) => [one.textContent, one.getAttribute('aria-current')] as const);
    expect(Object.fromEntries(current)).toEqual({ English: 'page', Deutsch: null });
    expect(languages[1]?.getAttribute('href')).toBe(`${base()}/de/fern?${own}`);
    const german = pageOf(await get(`${base()}/de/fern?${own}`));
    expect(german.documentElement.getAttribute('lang')).toBe('de');
    expect(german.querySelector('h1')?.textContent).toBe('Fern');
  });

  it('is refused in another locale than its own, and published pages are without a token', async () => {
    await createLivePage(app(), desk.project, { slug: 'published-only' });
    const { siteId } = desk.project;
    const { body } = await desk.post('/preview-sessions', { siteId, locales: ['de'] });
    const { token } = (body as { data: { token: string } }).data;
    for (const query of ['', `?previewToken=${token}`])
      expect((await get(`${base()}/published-only${query}`)).status).toBe(403);
  });
});
