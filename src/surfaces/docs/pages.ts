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
    <link rel="icon" type="image/png" href="${assets}favicon.png" />
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
  const { assets } = parts;
  return page('Headwater API', parts, {
    head: `<link rel="stylesheet" href="${assets}swagger-ui.css" />`,
    body: `<div id="reference"></div>
    <script src="${assets}swagger-ui-bundle.js"></script>
    <script type="module" src="${assets}reference.js"></script>`,
  });
}

/** Prompts for a key and opens GraphiQL on the project in the URL. */
export function explorerPage(parts: PageParts): string {
  const { assets, key = '' } = parts;
  return page('Headwater GraphQL', parts, {
    head: `<link rel="stylesheet" href="${assets}ruru/ruru.css" />`,
    body: `<form class="entrance">
      <h1>GraphQL</h1>
      <p>Enter a preview or management key to explore the schema. The key stays on this page and is sent only to
        this service.</p>
      <input name="key" type="password" required autocomplete="off" placeholder="hwp_… or hwm_…"
        aria-label="API key" value="${escaped(key)}" />
      <button>Open</button>
      <output></output>
    </form>
    <div id="ruru-root"></div>
    <script type="module" src="${assets}explorer.js"></script>`,
  });
}
