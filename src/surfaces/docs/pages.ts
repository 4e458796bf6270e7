import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface Asset {
  readonly content: Buffer;
  /** `Content-Type` and, if compressed, `Content-Encoding`. */
  readonly headers: Readonly<Record<string, string>>;
}

const compress = promisify(gzip);

const script = 'text/javascript; charset=utf-8';

/** Every served file with its type. */
const files: Readonly<Record<string, string>> = {
  'page.css': 'text/css; charset=utf-8',
  'elements.js': script,
  'reference.js': script,
  'request.js': script,
  'explorer.js': script,
  'schema-browser.js': script,
  'favicon.svg': 'image/svg+xml',
};

const fileOf = (name: string): string => path.join(import.meta.dirname, 'browser', name);

/** Hash of all files: part of every URL, so that responses can be cached for a year. */
function editionOf(): string {
  const hash = createHash('sha256');
  for (const name of Object.keys(files)) hash.update(readFileSync(fileOf(name)));
  return hash.digest('hex').slice(0, 12);
}

/** Files of the pages from a fixed list: a name cannot reach any other file. */
export class Assets {
  /** URL prefix of every file. */
  readonly base: string;
  readonly #loaded = new Map<string, Promise<{ plain: Buffer; compressed: Buffer; type: string }>>();

  constructor(prefix: string) {
    this.base = `${prefix}${editionOf()}/`;
  }

  /** Undefined for files that are not in the list. */
  async find(address: string, acceptEncoding: string): Promise<Asset | undefined> {
    if (!address.startsWith(this.base)) return undefined;
    const name = address.slice(this.base.length);
    if (!Object.hasOwn(files, name)) return undefined;
    const { plain, compressed, type } = await this.#load(name);
    if (!/\bgzip\b/i.test(acceptEncoding)) return { content: plain, headers: { 'content-type': type } };
    return { content: compressed, headers: { 'content-type': type, 'content-encoding': 'gzip' } };
  }

  /** Read and compressed once. */
  #load(name: string): Promise<{ plain: Buffer; compressed: Buffer; type: string }> {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;
    const type = files[name] ?? '';
    const loading = readFile(fileOf(name)).then(async (plain) => ({
      plain,
      compressed: await compress(plain),
      type,
    }));
    this.#loaded.set(name, loading);
    return loading;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

export interface PageParts {
  /** URL of the files, with a trailing slash. */
  readonly assets: string;
  /** Initial value of the key field. */
  readonly key: string | undefined;
}

function page(title: string, { assets, key = '' }: PageParts, parts: { head: string; body: string }): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" type="image/svg+xml" href="${assets}favicon.svg" />
    <link rel="stylesheet" href="${assets}page.css" />
    ${parts.head}
  </head>
  <body data-assets="${escaped(assets)}" data-key="${escaped(key)}">
    ${parts.body}
  </body>
</html>
`;
}

/** Shows `/openapi.json` and calls its operations. */
export function referencePage(parts: PageParts): string {
  const { assets, key = '' } = parts;
  return page('Headwater API', parts, {
    head: '',
    body: `<main class="sheet">
      <h1>Headwater API</h1>
      <div class="bar">
        <input name="filter" type="search" placeholder="Filter operations" aria-label="Filter operations" />
        <input name="key" type="password" autocomplete="off" placeholder="API key or session token"
          aria-label="API key" value="${escaped(key)}" />
      </div>
      <div id="reference"></div>
      <p><a href="/openapi.json">openapi.json</a></p>
    </main>
    <script type="module" src="${assets}reference.js"></script>`,
  });
}

/** Prompts for a key and opens the explorer on the project in the URL. */
export function explorerPage(parts: PageParts): string {
  const { assets, key = '' } = parts;
  return page('Headwater GraphQL', parts, {
    head: '',
    body: `<form class="entrance">
      <h1>GraphQL</h1>
      <p>Enter a preview or management key of this project to explore the schema. The key stays on this page and is
        sent only to this service.</p>
      <input name="key" type="password" required autocomplete="off" placeholder="hwp_… or hwm_…"
        aria-label="API key" value="${escaped(key)}" />
      <button>Open</button>
      <output></output>
    </form>
    <div id="explorer" class="workbench"></div>
    <script type="module" src="${assets}explorer.js"></script>`,
  });
}

/** What the service shows to people. */
export function startPage(parts: PageParts, project: string | undefined): string {
  const explorer =
    project === undefined
      ? '<code>/api/graphql/{project}</code>: the GraphQL explorer of a project'
      : `<a href="/api/graphql/${escaped(project)}">GraphQL explorer</a> of the project ${escaped(project)}`;
  return page('Headwater', parts, {
    head: '',
    body: `<main class="sheet">
      <h1>Headwater</h1>
      <ul>
        <li><a href="/admin">Admin app</a>: write, translate and publish content</li>
        <li><a href="/docs">API reference</a>: every REST operation</li>
        <li>${explorer}</li>
        <li><a href="/openapi.json">openapi.json</a></li>
        <li><a href="/healthz">Health</a> and <a href="/readyz">readiness</a></li>
      </ul>
    </main>`,
  });
}
