import { escapeHtml } from '../../../content/rich-text/to-html.js';

/** Pictures of a gallery: address and alternative text. */
export type GalleryOf = (ids: readonly string[]) => readonly { readonly src: string; readonly alt: string }[];

export interface WordPressHtml {
  readonly html: string;
  /** What the editor of WordPress has, and HTML has not. */
  readonly lost: readonly (readonly [what: string, why: string])[];
}

const blockNames =
  'address|article|aside|blockquote|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|object|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul|video';
const opensBlock = new RegExp(`^</?(?:${blockNames})[\\s/>]`, 'i');
const blockStart = new RegExp(`<(?:${blockNames})(?=[\\s/>])`, 'gi');
const blockEnd = new RegExp(`</(?:${blockNames})>`, 'gi');
const holders = /<(?:blockquote|div|section|article|aside|main)(?:\s[^<>]*)?>/gi;

/** Paragraphs of HTML as the classic editor writes it, in which blank lines separate them. Code is left as it is. */
function withParagraphs(html: string): string {
  const kept: string[] = [];
  const lines = html
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/<pre[\s>][^]*?<\/pre>/gi, (code) => `\n\n<pre \u{E000}${String(kept.push(code) - 1)}>\n\n`)
    .replaceAll(holders, '$&\n\n')
    .replaceAll(blockStart, '\n\n$&')
    .replaceAll(blockEnd, '$&\n\n');
  const parts = lines.split(/\n[^\S\n]*\n+/).flatMap((part) => {
    const text = part.trim();
    if (text === '') return [];
    return [opensBlock.test(text) ? text : `<p>${text.replaceAll('\n', '<br>')}</p>`];
  });
  return parts
    .join('\n')
    .replaceAll(/<pre \u{E000}(\d+)>/gu, (_, index: string) => kept[Number(index)] ?? '');
}

/** Texts of comments, in their order. */
function commentsIn(html: string): string[] {
  const found: string[] = [];
  for (let at = html.indexOf('<!--'); at >= 0; at = html.indexOf('<!--', at)) {
    const end = html.indexOf('-->', at + 4);
    if (end < 0) break;
    found.push(html.slice(at + 4, end).trim());
    at = end + 3;
  }
  return found;
}

/** Values of a short code by name; those without a name by their place, from 0. */
export function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, quoted, single, bare] of text.matchAll(
    /(?:([\w-]+)=)?(?:"([^"]*)"|'([^']*)'|([^\s"'\]]+))/g,
  ))
    found.set(name ?? String(found.size), quoted ?? single ?? bare ?? '');
  return found;
}

const figureOf = (inner: string, caption: string): string =>
  `\n\n<figure>${inner}<figcaption>${caption}</figcaption></figure>\n\n`;

const pictureOf = ({ src, alt }: { src: string; alt: string }): string =>
  `\n\n<figure><img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}"></figure>\n\n`;

const addressIn = (attributes: ReadonlyMap<string, string>): string =>
  ['src', 'mp3', 'mp4', '0'].flatMap((name) => attributes.get(name) ?? [])[0]?.trim() ?? '';

const linkTo = (address: string): string =>
  address === '' ? '' : `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;

/** Reads the content of a post: blocks, or the classic editor's lines with short codes. */
export function readWordPressHtml(content: string, gallery: GalleryOf): WordPressHtml {
  const lost: (readonly [string, string])[] = [];
  const comments = commentsIn(content);
  for (const text of comments) {
    const dynamic = /^wp:([\w/-]+)(?:\s[^]*)?\/$/.exec(text)?.[1];
    if (dynamic !== undefined)
      lost.push([`the block ${dynamic}`, 'WordPress makes its content when it shows it.']);
    if (text === 'more' || text === 'nextpage')
      lost.push([`the break ${text}`, 'Rich text has no such break.']);
  }
  const withCodes = content
    .replaceAll(/\[caption([^\]]*)\]([^]*?)\[\/caption\]/g, (_, given: string, inner: string) => {
      const [, shown = '', caption = ''] =
        /^\s*((?:<a\s[^<>]*>\s*)?<img\s[^<>]*>(?:\s*<\/a>)?)([^]*)$/.exec(inner) ?? [];
      return shown === '' ? inner : figureOf(shown, (attributesOf(given).get('caption') ?? caption).trim());
    })
    .replaceAll(/\[gallery([^\]]*)\]/g, (_, given: string) => {
      const attributes = attributesOf(given);
      const ids = (attributes.get('ids') ?? attributes.get('include') ?? '')
        .split(',')
        .map((id) => id.trim());
      const pictures = gallery(ids.filter((id) => id !== ''));
      lost.push(['the layout of a gallery', `Its ${String(pictures.length)} pictures follow each other.`]);
      return pictures.map(pictureOf).join('');
    })
    .replaceAll(
      /\[(audio|video|embed)([^\]]*)\](?:([^[]*)\[\/\1\])?/g,
      (...parts: (string | undefined)[]) => {
        const [, name = '', given = '', inner = ''] = parts;
        lost.push([`the player ${name}`, 'Rich text has no players. It is a link.']);
        return linkTo(inner.trim() || addressIn(attributesOf(given)));
      },
    );
  const hasBlocks = comments.some((text) => text.startsWith('wp:'));
  return { html: hasBlocks ? withCodes : withParagraphs(withCodes), lost };
}
