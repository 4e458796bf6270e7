import type { RichTextElement, RichTextLink, RichTextValue } from './rich-text-types.js';

interface Picture {
  /** Undefined for a picture that needs no check. */
  readonly url: string | undefined;
  readonly part: RichTextElement;
}

/** What a text names, as the response shows it. */
export interface Shown {
  /** False at `include=0`, where links have no URL yet. */
  readonly isShown: boolean;
  linkOf(id: string): RichTextLink | undefined;
  hrefOf(id: string, anchor?: string): string | undefined;
  /** The picture of the next embedded asset, or the link to its file. */
  nextPicture(id: string): Picture | undefined;
}

const ID = '[0-9a-f-]{36}';
const HREFS = new RegExp(
  `<(?:figure data-entry="(${ID})"><a|a data-(?:entry|asset|mention)="(${ID})"(?: data-anchor="([^"]*)")?) href="([^"]*)"`,
  'g',
);
const ASSETS = new RegExp(
  `<figure data-asset="(${ID})"[^>]*>(?:<img([^>]*)>|<a href="([^"]*)">([^<]*)</a>)?`,
  'g',
);
const ATTRIBUTE = / ([a-z]+)="([^"]*)"/g;

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const unescape = (html: string): string =>
  html.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity);

const pictureAttributes: ReadonlySet<string> = new Set(['src', 'alt', 'title', 'width', 'height']);

function pictureOf(written: string): Picture {
  const attributes = [...written.matchAll(ATTRIBUTE)]
    .filter(([, name = '']) => pictureAttributes.has(name))
    .map(([, name = '', value = '']) => [name, unescape(value)] as const);
  const part = { tag: 'img', attributes: Object.fromEntries(attributes), children: [] };
  return { url: String(part.attributes.src), part };
}

const fileLink = (href: string, title: string): Picture => ({
  url: href,
  part: { tag: 'a', attributes: { href }, children: [title] },
});

/** URLs by id, in `html` of the value: `links` has neither whole URLs nor sizes of pictures. */
function hrefsIn(html: string): ReadonlyMap<string, string> {
  const hrefs = new Map<string, string>();
  for (const [, embedded, named = '', anchor, href = ''] of html.matchAll(HREFS)) {
    const end = anchor === undefined ? 0 : anchor.length + 1;
    hrefs.set(embedded ?? named, unescape(href.slice(0, href.length - end)));
  }
  return hrefs;
}

export function shownIn({ html, links }: RichTextValue): Shown {
  const hrefs = html === undefined ? undefined : hrefsIn(html);
  const pictures = typeof html === 'string' ? [...html.matchAll(ASSETS)] : [];
  const linkOf = (id: string): RichTextLink | undefined =>
    links !== undefined && Object.hasOwn(links, id) ? links[id] : undefined;
  return {
    isShown: links !== undefined,
    linkOf,
    hrefOf: (id, anchor) => {
      if (links === undefined) return undefined;
      const href = hrefs === undefined ? linkOf(id)?._path : hrefs.get(id);
      return typeof href === 'string' ? `${href}${anchor === undefined ? '' : `#${anchor}`}` : undefined;
    },
    nextPicture: (id) => {
      const [, found, picture, href, title] = pictures.shift() ?? [];
      if (found === id && picture !== undefined) return pictureOf(picture);
      if (found === id && href !== undefined) return fileLink(unescape(href), unescape(title ?? ''));
      const link = html === undefined ? linkOf(id) : undefined;
      return typeof link?._path === 'string' ? fileLink(link._path, link.title ?? '') : undefined;
    },
  };
}
