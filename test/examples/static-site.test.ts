import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperationsClient } from '../../src/cli/client/operations-client.js';
import { loadDemo, type LoadedDemo } from '../../src/cli/demo/load-demo.js';
import { openCliHost, type CliHost } from '../cli/cli-host.js';
import { verifies } from '../support/verifies.js';

verifies('delivery/static-site');

const scripts = path.resolve(import.meta.dirname, 'static-site');
const run = promisify(execFile);

let host: CliHost;
let server: http.Server;
let requests = 0;
let demo: LoadedDemo;
let folder: string;

beforeAll(async () => {
  host = await openCliHost();
  server = http.createServer((request, response) => {
    requests += 1;
    host.composition.handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const { composition, dataDirectory } = host;
  demo = await loadDemo({ composition, dataDirectory, baseUrl });
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-static-'));
}, 120_000);

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await Promise.all([host.close(), rm(folder, { recursive: true, force: true })]);
});

/** Pages of one site by path, and the rules of its `_redirects`. */
interface Rendered {
  readonly pages: ReadonlyMap<string, string>;
  readonly rules: readonly (readonly string[])[];
}

interface Build {
  readonly sites: Readonly<Record<'main' | 'boatyard', Rendered>>;
  readonly requests: number;
}

async function readSite(from: string): Promise<Rendered> {
  const names = await readdir(from, { recursive: true });
  const pages = names
    .filter((name) => name.endsWith('index.html'))
    .map(async (name) => {
      const at = `/${path.posix.dirname(name)}`.replace('/.', '/');
      return [at, await readFile(path.join(from, name), 'utf8')] as const;
    });
  const rules = (await readFile(path.join(from, '_redirects'), 'utf8')).split('\n');
  return {
    pages: new Map((await Promise.all(pages)).sort(([a], [b]) => (a < b ? -1 : 1))),
    rules: rules.map((rule) => rule.split(' ')),
  };
}

async function build(script: string): Promise<Build> {
  const into = await mkdtemp(path.join(folder, 'build-'));
  requests = 0;
  await run(process.execPath, [path.join(scripts, script), demo.credentialsPath, into]);
  const [main, boatyard] = await Promise.all(
    ['main', 'boatyard'].map((site) => readSite(path.join(into, site))),
  );
  if (main === undefined || boatyard === undefined) throw new Error('a site is missing');
  return { sites: { main, boatyard }, requests };
}

const internalLinks = (page: string): string[] =>
  [...page.matchAll(/href="(\/[^"#]*)/g)].map(([, href = '']) => href);
const part = (page: string | undefined, name: string): string =>
  new RegExp(`<nav class="${name}">([\\s\\S]*?)</nav>`).exec(page ?? '')?.[1] ?? '';
const languagesOf = (page: string | undefined): Record<string, string> =>
  Object.fromEntries(
    [...part(page, 'languages').matchAll(/href="([^"]+)">(\w+)</g)].map(([, href = '', code = '']) => [
      code,
      href,
    ]),
  );

/** The page that a host with these files shows at a path. */
function pageAt({ pages, rules }: Rendered, at: string, hops = 0): string | undefined {
  if (pages.has(at) || hops > 5) return pages.get(at);
  for (const [source = '', target = ''] of rules) {
    const prefix = source.endsWith('/*') ? source.slice(0, -2) : undefined;
    if (source === at) return pageAt({ pages, rules }, target, hops + 1);
    if (prefix !== undefined && (at === prefix || at.startsWith(`${prefix}/`)))
      return pageAt({ pages, rules }, target.replace('/:splat', at.slice(prefix.length)), hops + 1);
  }
  return undefined;
}

const brokenLinks = (site: Rendered): string[] =>
  [...site.pages].flatMap(([at, page]) =>
    internalLinks(page)
      .filter((href) => pageAt(site, href) === undefined)
      .map((href) => `${at} → ${href}`),
  );

const main = {
  en: ['/', '/stories', '/stories/a-winter-without-water', '/stories/how-a-narrowboat-turns']
    .concat(['/stories/the-heron-at-mile-four', '/stories/the-upper-lock'])
    .concat(['/trust/about', '/trust/imprint', '/visiting', '/visiting/getting-here']),
  de: ['/de', '/de/besuch', '/de/besuch/anreise', '/de/geschichten']
    .concat(['/de/geschichten/der-reiher-bei-meile-vier', '/de/geschichten/die-obere-schleuse'])
    .concat(['/de/geschichten/ein-winter-ohne-wasser', '/de/trust/impressum', '/de/trust/ueber-uns']),
  fr: ['/fr', '/fr/recits', '/fr/recits/ecluse-d-amont', '/fr/recits/how-a-narrowboat-turns']
    .concat(['/fr/recits/the-heron-at-mile-four', '/fr/recits/un-hiver-sans-eau'])
    .concat(['/fr/trust/imprint', '/fr/trust/qui-sommes-nous', '/fr/visite/getting-here', '/fr/visiting']),
};
const boatyard = [
  ...['/', '/logbuch', '/logbuch/eine-planke-fuer-die-martha'],
  ...['/en', '/en/logbook', '/en/logbook/a-plank-for-the-martha'],
];
const pageCount = Object.values(main).flat().length + boatyard.length;

describe('The site of the demo, which the service renders', () => {
  const at = (place: string): Promise<Response> => fetch(demo.baseUrl + place, { redirect: 'manual' });

  /** Every page that links lead to from the first one on, by path. */
  async function walk(from: string): Promise<ReadonlyMap<string, string>> {
    const pages = new Map<string, string>();
    const waiting = [from];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      const { pathname } = new URL(place, demo.baseUrl);
      if (pages.has(pathname)) continue;
      const found = await at(place);
      const moved = found.headers.get('location');
      if (moved !== null) waiting.push(moved);
      expect([place, found.status]).toEqual([place, moved === null ? 200 : 302]);
      if (moved !== null) continue;
      pages.set(pathname, await found.text());
      const links = internalLinks(pages.get(pathname) ?? '').map((href) => href.replaceAll('&amp;', '&'));
      waiting.push(...links.filter((href) => /^\/(?:demo|preview)\b/.test(href)));
    }
    return pages;
  }

  it('is there where the demo is, and links every published page of the menu in its languages', async () => {
    expect((await at('/demo')).status).toBe(404);
    host.composition.offerKeys({ project: 'demo', reference: '', explorer: '' });
    const pages = await walk('/demo');
    // The imprint is hidden in menus.
    for (const path of [...main.en, ...main.de].filter((one) => !one.includes('impr')))
      expect([...pages.keys()]).toContain(`/demo${path === '/' ? '' : path}`);
    expect([...pages.keys()].join()).not.toContain('spring-walk');
    expect(pages.get('/demo/stories/the-upper-lock')).toMatch(/<img src="[^"]*\/media\//);
    expect(pages.get('/demo/de/besuch')).toContain('<html lang="de">');
    const missing = await at('/demo/nowhere');
    expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('Page not found')]);
    expect((await at('/demo/locks')).headers.get('location')).toBe('/demo/stories/the-upper-lock');
  });

  it('shows its drafts on every page to the holder of a preview session', async () => {
    const { management } = demo.keys;
    const client = new OperationsClient(host.composition, management);
    const { data: site } = await client.call('sites', 'get', { projectSlug: 'demo', siteSlug: 'main' });
    const { data } = await client.call('entries', 'previewSite', { projectSlug: 'demo', siteId: site.id });
    const pages = await walk(data.url.replace(/^https?:\/\/[^/]+/, ''));
    expect(pages.size).toBeGreaterThan(10);
    expect([...pages.keys()].join()).toContain('spring-walk');
    for (const page of pages.values()) expect(page).toContain('src="/preview.js"');
  });
});

describe.each(['rest.mjs', 'graphql.mjs'])('Static sites rendered by %s', (script) => {
  let built: Build;

  beforeAll(async () => {
    built = await build(script);
  });

  it('come from a script of at most 100 lines', async () => {
    const lines = (await readFile(path.join(scripts, script), 'utf8')).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(100);
  });

  it('need at most one request per page and three more', () => {
    expect(built.requests).toBeGreaterThan(0);
    expect(built.requests).toBeLessThanOrEqual(pageCount + 3);
  });

  it('have every published page of every locale, those shown by fallback included', () => {
    expect([...built.sites.main.pages.keys()]).toEqual(Object.values(main).flat().sort());
    expect([...built.sites.boatyard.pages.keys()]).toEqual([...boatyard].sort());
  });

  it('have no broken internal links', () => {
    const { sites } = built;
    expect([...brokenLinks(sites.main), ...brokenLinks(sites.boatyard)]).toEqual([]);
    const links = [...sites.main.pages.values()].flatMap(internalLinks);
    expect(links).toEqual(
      expect.arrayContaining(['/locks', '/journal/the-upper-lock', '/de/besuch/anreise']),
    );
    expect(pageAt(sites.main, '/locks')).toBe(sites.main.pages.get('/stories/the-upper-lock'));
    expect(pageAt(sites.main, '/nowhere')).toBeUndefined();
  });

  it.each(['en', 'de', 'fr'] as const)('show pages, menu and languages in %s', (locale) => {
    const { pages } = built.sites.main;
    const own = main[locale].map((at) => pages.get(at) ?? '');
    for (const page of own) expect(page).toContain(`<html lang="${locale}">`);
    const menus = new Set(own.map((page) => part(page, 'menu')));
    expect(menus.size).toBe(1);
    const [menu = ''] = menus;
    const shown = main[locale].filter((at) => !at.includes('impr'));
    expect([...new Set(internalLinks(menu))].sort()).toEqual([...shown].sort());
    expect(menu).toContain('>Alder Water Trust<');
    expect(menu).toContain('<a href="https://www.openstreetmap.org/">Map</a>');
    for (const at of main[locale]) expect(languagesOf(pages.get(at))[locale]).toBe(at);
  });

  it('link each page with its other languages', () => {
    const { main: journal, boatyard: yard } = built.sites;
    const lock = { en: '/stories/the-upper-lock', de: '/de/geschichten/die-obere-schleuse' };
    expect(languagesOf(journal.pages.get(lock.en))).toEqual({ ...lock, fr: '/fr/recits/ecluse-d-amont' });
    expect(languagesOf(journal.pages.get('/stories/how-a-narrowboat-turns'))).toEqual({
      en: '/stories/how-a-narrowboat-turns',
      fr: '/fr/recits/how-a-narrowboat-turns',
    });
    expect(languagesOf(yard.pages.get('/'))).toEqual({ de: '/', en: '/en' });
  });

  it('show blocks, teasers with links, authors and published values only', () => {
    const { pages } = built.sites.main;
    const home = pages.get('/de') ?? '';
    expect(home).toContain('<aside class="tip"><h2>Ruhezeiten</h2>');
    expect(home).toContain('<blockquote>Wasser kommt nie zu spät.');
    expect(pages.get('/de/trust/ueber-uns')).toContain(
      '<section><h2>Zwei Stimmen</h2><blockquote>Eine Schleuse ist eine Tür',
    );
    expect(home.indexOf('Ruhezeiten')).toBeLessThan(home.indexOf('Maud Ferris'));
    expect(home).toContain('<li><a href="/de/geschichten/ein-winter-ohne-wasser">Ein Winter ohne Wasser</a>');
    expect(pages.get('/stories/a-winter-without-water')).toContain(
      '<p>Every few years we pull the plug.</p>',
    );
    const stories = pages.get('/de/geschichten') ?? '';
    expect(stories).not.toContain('narrowboat');
    expect(stories).not.toContain('Schmalboot');
    const heron = pages.get('/fr/recits/the-heron-at-mile-four') ?? '';
    expect(heron).toContain('<main lang="en">');
    expect(heron).toContain('<address>Maud Ferris</address>');
    expect(heron).toContain('<a href="/fr/recits/ecluse-d-amont">L’écluse d’amont</a>');
  });
});

it('redirect old links after a page has moved', async () => {
  const client = new OperationsClient(host.composition, demo.keys.management);
  const projectSlug = demo.projectSlug;
  const { data } = await client.call('entries', 'list', { projectSlug, q: 'Stories', locale: 'en' });
  const stories = data.find(({ slug }) => slug === 'stories');
  const { id = '', version = 0 } = stories ?? {};
  await client.call('entries', 'update', { projectSlug, id, version, locale: 'en', slug: 'tales' });
  await client.call('entries', 'publish', { projectSlug, id, locale: 'en' });
  for (const script of ['rest.mjs', 'graphql.mjs']) {
    const { sites } = await build(script);
    expect(brokenLinks(sites.main)).toEqual([]);
    expect([...sites.main.pages.values()].flatMap(internalLinks)).toContain('/stories/the-upper-lock');
    expect(pageAt(sites.main, '/stories/the-upper-lock')).toBe(sites.main.pages.get('/tales/the-upper-lock'));
  }
});
