// Renders the demo as static sites with REST delivery alone: node rest.mjs [credentials.json] [folder]
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';

const [, , credentials = '.data/credentials.json', folder = '.data/static-site'] = process.argv;
const { baseUrl, projectSlug } = JSON.parse(await readFile(credentials, 'utf8'));
/** Locales of each site, and the content types whose entries are pages. */
const sites = { main: ['en', 'de', 'fr'], boatyard: ['de', 'en'] };
const pageTypes = ['page', 'article'];

async function get(site, read) {
  const response = await fetch(`${baseUrl}/api/delivery/projects/${projectSlug}/sites/${site}/${read}`);
  if (!response.ok) throw new Error(`${read}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Every item of a paginated list. */
async function list(site, read) {
  const items = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, meta } = await get(site, `${read}&limit=100&page=${page}`);
    items.push(...data);
    pages = meta.pages;
  }
  return items;
}

const html = (text) => String(text ?? '').replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const each = (items, show) => (items ?? []).map(show).join('');
/** Without what is a link because it is not published in the locale. */
const live = (items) => (items ?? []).filter(({ fields }) => fields);
const link = (href, text) => (href === null ? html(text) : `<a href="${html(href)}">${html(text)}</a>`);

const menu = (nodes) =>
  nodes.length === 0
    ? ''
    : `<ul>${each(nodes, ({ path: to, name, children }) => `<li>${link(to, name)}${menu(children)}</li>`)}</ul>`;

const teaser = ({ _path, fields }) =>
  `<li>${link(_path, fields.title)} ${html(fields.summary ?? fields.lead)}</li>`;

const blocks = {
  callout: ({ title, tone, body }) => `<aside class="${tone}"><h2>${html(title)}</h2>${body.html}</aside>`,
  quote: ({ text, speaker }) => `<blockquote>${html(text)}<cite>${html(speaker)}</cite></blockquote>`,
  panel: ({ title, items }) => `<section><h2>${html(title)}</h2>${each(live(items), block)}</section>`,
};
const block = ({ _type, fields }) => blocks[_type](fields);

const article = ({ title, summary, lead, author, body, sections, callouts, featured, related }) => `
<h1>${html(title)}</h1>
<p>${html(summary ?? lead)}</p>
${author?.fields ? `<address>${html(author.fields.name)}</address>` : ''}
${body?.html ?? ''}
${each(live(sections ?? callouts), block)}
<ul class="teasers">${each(live(featured ?? related), teaser)}</ul>`;

const document = ({ locale, entry, navigation, languages }) => `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><title>${html(entry.fields.title)}</title></head><body>
<nav class="menu">${navigation}</nav>
<nav class="languages">${languages}</nav>
<main lang="${entry._locale}">${article(entry.fields)}</main>
</body></html>
`;

/** A line of `_redirects`, which static hosts read. */
const hostRule = ({ source, target, status, matchType }) =>
  matchType === 'prefix' ? `${source}/* ${target}/:splat ${status}` : `${source} ${target} ${status}`;

async function write(site, name, text) {
  const file = path.join(folder, site, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

for (const [site, locales] of Object.entries(sites)) {
  /** Pages by locale, fallbacks included; what has no path is part of other pages only. */
  const pages = new Map();
  for (const locale of locales) {
    const lists = pageTypes.map((type) =>
      list(site, `content/${type}?locale=${locale}&include=2&paths=true`),
    );
    const entries = (await Promise.all(lists)).flat();
    pages.set(
      locale,
      entries.filter(({ _path }) => _path !== null),
    );
  }
  for (const [locale, entries] of pages) {
    const navigation = menu((await get(site, `tree?locale=${locale}&menu=true`)).data);
    for (const entry of entries) {
      const versions = locales.flatMap((code) =>
        pages.get(code).flatMap(({ _id, _path }) => (_id === entry._id ? [[code, _path]] : [])),
      );
      const languages = each(versions, ([code, to]) => `${link(to, code)} `);
      await write(site, `${entry._path}/index.html`, document({ locale, entry, navigation, languages }));
    }
  }
  await write(site, '_redirects', (await list(site, 'redirects?')).map(hostRule).join('\n'));
}
