// Renders the demo as static sites with GraphQL alone: node graphql.mjs [credentials.json] [folder]
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';

const [, , credentials = '.data/credentials.json', folder = '.data/static-site'] = process.argv;
const { baseUrl, projectSlug, keys } = JSON.parse(await readFile(credentials, 'utf8'));
/** Locales of each site. */
const sites = { main: ['en', 'de', 'fr'], boatyard: ['de', 'en'] };

/** Everything of a site in one locale, 50 entries of a type at a time. */
const query = `query Site($site: String!, $locale: String!, $skip: Int!) {
  menu: tree(site: $site, locale: $locale, menu: true) {
    name path children { name path children { name path } }
  }
  pages: pageCollection(site: $site, locale: $locale, limit: 50, skip: $skip) {
    total
    items {
      _id _path _locale title lead body { html }
      sections { ...callout ...quote ... on Panel { __typename title items { ...callout ...quote } } }
      featured { ... on Page { _path title lead } ... on Article { _path title lead: summary } }
    }
  }
  articles: articleCollection(site: $site, locale: $locale, limit: 50, skip: $skip) {
    total
    items {
      _id _path _locale title lead: summary body { html } author { name }
      sections: callouts { ...callout }
      featured: related { _path title lead: summary }
    }
  }
  redirects(site: $site, limit: 50, skip: $skip) { total items { source target status matchType } }
}
fragment callout on Callout { __typename title tone body { html } }
fragment quote on Quote { __typename text speaker }`;

/** All pages of the three lists. */
async function read(site, locale, skip = 0) {
  const response = await fetch(`${baseUrl}/api/graphql/${projectSlug}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${keys.delivery}` },
    body: JSON.stringify({ query, variables: { site, locale, skip } }),
  });
  const { data, errors, message } = await response.json();
  if (errors) throw new Error(message ?? errors[0].message);
  const lists = [data.pages, data.articles, data.redirects];
  const isEnd = lists.every(({ total }) => total <= skip + 50);
  const rest = isEnd ? { entries: [], redirects: [] } : await read(site, locale, skip + 50);
  return {
    menu: data.menu,
    entries: [...data.pages.items, ...data.articles.items, ...rest.entries].filter(({ _path }) => _path),
    redirects: [...data.redirects.items, ...rest.redirects],
  };
}

const html = (text) => String(text ?? '').replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const each = (items, show) => (items ?? []).map(show).join('');
const link = (href, text) => (href === null ? html(text) : `<a href="${html(href)}">${html(text)}</a>`);
const node = ({ path: to, name, children }) => `<li>${link(to, name)}${list('menu', children, node)}</li>`;
const list = (name, items, show) => (items?.length ? `<ul class="${name}">${each(items, show)}</ul>` : '');
const teaser = ({ _path, title, lead }) => `<li>${link(_path, title)} ${html(lead)}</li>`;
const blocks = {
  Callout: ({ title, tone, body }) => `<aside class="${tone}"><h2>${html(title)}</h2>${body.html}</aside>`,
  Quote: ({ text, speaker }) => `<blockquote>${html(text)}<cite>${html(speaker)}</cite></blockquote>`,
  Panel: ({ title, items }) => `<section><h2>${html(title)}</h2>${each(items, block)}</section>`,
};
const block = (one) => blocks[one.__typename](one);

const document = ({ locale, entry, menu, languages }) => `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><title>${html(entry.title)}</title></head><body>
<nav class="menu">${list('menu', menu, node)}</nav>
<nav class="languages">${languages}</nav>
<main lang="${entry._locale}"><h1>${html(entry.title)}</h1><p>${html(entry.lead)}</p>
${entry.author ? `<address>${html(entry.author.name)}</address>` : ''}${entry.body?.html ?? ''}
${each(entry.sections, block)}
${list('teasers', entry.featured, teaser)}</main></body></html>
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
  const found = await Promise.all(locales.map(async (locale) => ({ locale, ...(await read(site, locale)) })));
  for (const { locale, menu, entries } of found)
    for (const entry of entries) {
      const versions = found.flatMap(({ locale: code, entries: others }) =>
        others.flatMap(({ _id, _path }) => (_id === entry._id ? [{ code, to: _path }] : [])),
      );
      const languages = each(versions, ({ code, to }) => `${link(to, code)} `);
      await write(site, `${entry._path}/index.html`, document({ locale, entry, menu, languages }));
    }
  await write(site, '_redirects', found[0].redirects.map(hostRule).join('\n'));
}
