const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** What a page is made with. */
export interface PageParts {
  /** Address of the files, with a final slash. */
  readonly assets: string;
  /** A key that the page's field holds from the start. */
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

/** The page that shows `/openapi.json` and calls its operations. */
export function referencePage(parts: PageParts): string {
  const { assets } = parts;
  return page('Headwater API', parts, {
    head: `<link rel="stylesheet" href="${assets}swagger-ui.css" />`,
    body: `<div id="reference"></div>
    <script src="${assets}swagger-ui-bundle.js"></script>
    <script type="module" src="${assets}reference.js"></script>`,
  });
}

/** The page that asks for a key and opens GraphiQL on the project whose address it stands at. */
export function explorerPage(parts: PageParts): string {
  const { assets, key = '' } = parts;
  return page('Headwater GraphQL', parts, {
    head: `<link rel="stylesheet" href="${assets}ruru/ruru.css" />`,
    body: `<form class="entrance">
      <h1>GraphQL</h1>
      <p>The schema is shown to preview and management keys. The key stays in this page and is sent to this
        service only.</p>
      <input name="key" type="password" required autocomplete="off" placeholder="hwp_… or hwm_…"
        aria-label="API key" value="${escaped(key)}" />
      <button>Open</button>
      <output></output>
    </form>
    <div id="ruru-root"></div>
    <script type="module" src="${assets}explorer.js"></script>`,
  });
}
