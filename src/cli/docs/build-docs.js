// `npm run docs`: writes the documentation as static pages: the pages of the project, and a reference of the REST interface.
//
// Plain JavaScript, because each build does it before anything is compiled. The service serves the pages at `/docs/guides/`;
// all addresses are relative, so that any other server can serve the folder, too.
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { groupNames, markdownPages } from './markdown-pages.js';
import { escapeHtml, referencePages } from './reference-pages.js';

const help = `Usage: npm run docs [-- --out <folder>]

Writes the documentation as static pages.

  --out  folder of the pages, by default dist/docs`;

function navigation(pages, current) {
  const groups = [...groupNames, 'REST reference'].map((group) => {
    const links = pages
      .filter((page) => page.group === group)
      .map(({ slug, title }) => {
        const mark = slug === current.slug ? ' aria-current="page"' : '';
        return `<li><a href="${slug}.html"${mark}>${escapeHtml(title)}</a></li>`;
      });
    const isOpen = group !== 'REST reference' || current.group === group;
    return `<details${isOpen ? ' open' : ''}><summary>${group}</summary><ul>${links.join('')}</ul></details>`;
  });
  return `<nav aria-label="Pages">${groups.join('')}</nav>`;
}

function contents({ sections }) {
  const links = sections
    .filter(({ level }) => level === 2)
    .map(({ title, anchor }) => `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`);
  return links.length < 3 ? '' : `<aside aria-label="On this page"><ul>${links.join('')}</ul></aside>`;
}

const pageOf = (page, pages) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(page.title)} · Headwater</title>
    <link rel="icon" type="image/svg+xml" href="favicon.svg">
    <link rel="stylesheet" href="guides.css">
    <script type="module" src="guides.js"></script>
  </head>
  <body>
    <header>
      <a class="home" href="index.html">Headwater</a>
      <search><input type="search" placeholder="Search the documentation" aria-label="Search the documentation"></search>
    </header>
    <div id="found" hidden></div>
    <div class="columns">
      ${navigation(pages, page)}
      <main>${page.html}</main>
      ${contents(page)}
    </div>
  </body>
</html>
`;

/** What search finds: sections, each with the page and the place in it. */
const searchable = (pages) =>
  pages.flatMap(({ slug, title, sections }) =>
    sections.map((section) => ({
      address: `${slug}.html${section.anchor === '' ? '' : `#${section.anchor}`}`,
      page: title,
      title: section.title,
      text: section.text.replace(/\s+/g, ' ').trim(),
    })),
  );

/** Writes the pages, their pictures, and what the browser loads into a folder. */
export async function buildDocs(root, directory) {
  const { build } = await import('esbuild');
  const [{ pages: guides, pictures }, reference] = await Promise.all([
    markdownPages(root),
    referencePages(root),
  ]);
  const pages = [...guides, ...reference];
  const sources = path.join(import.meta.dirname, 'browser');
  await mkdir(directory, { recursive: true });
  await Promise.all([
    ...pages.map((page) => writeFile(path.join(directory, `${page.slug}.html`), pageOf(page, pages))),
    writeFile(path.join(directory, 'search.json'), JSON.stringify(searchable(pages))),
    ...[...pictures].map(([name, place]) => copyFile(path.join(root, place), path.join(directory, name))),
    copyFile(path.join(sources, 'guides.css'), path.join(directory, 'guides.css')),
    copyFile(path.join(root, 'src/surfaces/docs/browser/favicon.svg'), path.join(directory, 'favicon.svg')),
    build({
      entryPoints: [path.join(sources, 'guides.js')],
      outfile: path.join(directory, 'guides.js'),
      bundle: true,
      format: 'esm',
      target: 'es2022',
      minify: true,
      legalComments: 'none',
      logLevel: 'warning',
    }),
  ]);
  return pages.length;
}

async function main() {
  const root = path.join(import.meta.dirname, '../../..');
  const { values } = parseArgs({ options: { out: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) {
    console.log(help);
    return;
  }
  const directory = path.resolve(values.out ?? path.join(root, 'dist/docs'));
  console.log(`Wrote ${await buildDocs(root, directory)} pages to ${directory}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
