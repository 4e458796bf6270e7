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
  const demo =
    project === undefined
      ? ''
      : '<li><a href="/demo">Demo site</a>: what the demo has published, as its readers see it</li>';
  return page('Headwater', parts, {
    head: '',
    body: `<main class="sheet">
      <h1>Headwater</h1>
      <ul>
        <li><a href="/admin">Admin app</a>: write, translate and publish content</li>
        ${demo}
        <li><a href="/docs">API reference</a>: every REST operation</li>
        <li>${explorer}</li>
        <li><a href="/openapi.json">openapi.json</a></li>
        <li><a href="/healthz">Health</a> and <a href="/readyz">readiness</a></li>
      </ul>
    </main>`,
  });
}
