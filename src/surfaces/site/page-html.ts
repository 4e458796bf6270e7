import { randomBytes } from 'node:crypto';
import type { SiteTreeNode } from '../../../contracts/publishing/delivery/route.js';
import { escapeHtml as escaped } from '../../content/rich-text/to-html.js';

const words = {
  en: {
    navigation: 'Main navigation',
    languages: 'Languages',
    notFound: 'Page not found',
    notFoundHint: 'There is no page at this address.',
    refused: 'This preview cannot be shown',
    refusedHint: 'The link has expired, or it shows another page.',
    hint: 'This is a plain view of the draft. To see it on your own site, set the preview address of the site.',
    settings: 'Settings of the sites',
    demo: 'The service renders this site from its delivery API, by one plain template.',
  },
  de: {
    navigation: 'Hauptnavigation',
    languages: 'Sprachen',
    notFound: 'Seite nicht gefunden',
    notFoundHint: 'Unter dieser Adresse gibt es keine Seite.',
    refused: 'Diese Vorschau kann nicht gezeigt werden',
    refusedHint: 'Der Link ist abgelaufen, oder er zeigt eine andere Seite.',
    hint: 'Das ist eine einfache Ansicht des Entwurfs. Um ihn auf der eigenen Website zu sehen, muss die Vorschauadresse der Site gesetzt sein.',
    settings: 'Einstellungen der Sites',
    demo: 'Der Dienst zeigt diese Website aus seiner Auslieferung mit einer einfachen Vorlage.',
  },
} as const;

export type PageWord = keyof typeof words.en;

/** A word in the language of a page, in English where the language has none. */
export const wordIn = (locale: string, word: PageWord): string =>
  (locale.split('-')[0] === 'de' ? words.de : words.en)[word];

/** Only what has the nonce runs and applies. No other site shows the page in a frame. */
export const policyOf = (nonce: string, others: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    ...others,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');

export const newNonce = (): string => randomBytes(16).toString('base64');

/** The name of a language in itself. */
export const languageName = (locale: string): string =>
  new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;

export interface PageLink {
  readonly href: string;
  readonly text: string;
  readonly lang?: string;
  readonly isCurrent?: boolean;
}

export interface PageParts {
  readonly locale: string;
  readonly title: string;
  readonly site: PageLink;
  /** Names the elements that may run or be applied. */
  readonly nonce: string;
  /** URL of the files of pages, with a slash at its end. */
  readonly assets: string;
  readonly nodes: readonly SiteTreeNode[];
  readonly hrefOf: (path: string) => string | undefined;
  readonly languages: readonly PageLink[];
  /** HTML. */
  readonly body: string;
  /** HTML below the page. */
  readonly foot: string;
  /** Attributes of the script that shows changes and opens fields; undefined without it. */
  readonly script: Readonly<Record<string, string | undefined>> | undefined;
}

export const linkHtml = ({ href, text, lang, isCurrent }: PageLink): string => {
  const named = lang === undefined ? '' : ` lang="${escaped(lang)}" hreflang="${escaped(lang)}"`;
  const current = isCurrent === true ? ' aria-current="page"' : '';
  return `<a href="${escaped(href)}"${named}${current}>${escaped(text)}</a>`;
};

/** Folders are shown for what is below them. */
function nodesHtml(nodes: readonly SiteTreeNode[], hrefOf: PageParts['hrefOf']): string {
  if (nodes.length === 0) return '';
  const items = nodes.map(({ name, path, children }) => {
    const isOwn = path?.startsWith('/') === true;
    const href = isOwn ? hrefOf(path) : path !== null && /^https?:/i.test(path) ? path : undefined;
    const text = href === undefined ? `<span>${escaped(name)}</span>` : linkHtml({ href, text: name });
    return `<li>${text}${nodesHtml(children, hrefOf)}</li>`;
  });
  return `<ul>${items.join('')}</ul>`;
}

function scriptHtml({ script, nonce }: PageParts): string {
  if (script === undefined) return '';
  const data = Object.entries(script).map(([name, value]) =>
    value === undefined ? '' : ` data-${name}="${escaped(value)}"`,
  );
  return `<script src="/preview.js" nonce="${nonce}"${data.join('')}></script>`;
}

/** A page of another site, whose URL is in the fragment. */
export const frameHtml = (nonce: string, assets: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Headwater</title>
<link rel="stylesheet" href="${assets}site.css" nonce="${nonce}">
</head>
<body>
<iframe title="Headwater" sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"></iframe>
<script src="${assets}frame.js" nonce="${nonce}"></script>
</body>
</html>
`;

/** The whole document. */
export function pageHtml(parts: PageParts): string {
  const { locale, title, site, nonce, assets, nodes, hrefOf, languages, body, foot } = parts;
  const label = (word: PageWord): string => ` aria-label="${escaped(wordIn(locale, word))}"`;
  const menu = nodesHtml(nodes, hrefOf);
  const choices = languages.map((one) => `<li>${linkHtml(one)}</li>`).join('');
  return `<!doctype html>
<html lang="${escaped(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title === site.text ? title : `${title} – ${site.text}`)}</title>
<link rel="icon" type="image/svg+xml" href="${assets}favicon.svg">
<link rel="stylesheet" href="${assets}site.css" nonce="${nonce}">
</head>
<body>
<header><p class="site">${linkHtml(site)}</p>
${menu === '' ? '' : `<nav${label('navigation')}>${menu}</nav>`}
${choices === '' ? '' : `<nav${label('languages')} class="languages"><ul>${choices}</ul></nav>`}</header>
<main>
${body}
</main>
<footer>${foot}</footer>
${scriptHtml(parts)}
</body>
</html>
`;
}
