import path from 'node:path';
import { decodedAddress } from './decoded-address.js';
import { limits } from '../../../../contracts/limits.js';
import { markdownToHtml } from '../../../content/rich-text/html/html-to-rich-text.js';
import { findFile } from './export-files.js';
import { EntryLink, HtmlText, type SourceAsset } from './export-source.js';
import { addressOf, type MarkdownFile, type MarkdownFolder } from './markdown-files.js';
import { isWeb } from './table-columns.js';
import { attributesOf } from './wordpress-html.js';

/** What Markdown of a site has, and Markdown has not. */
export type LostText = readonly [what: string, why: string];

export interface PlainMarkdown {
  readonly markdown: string;
  readonly lost: readonly LostText[];
}

const CODE = 'Its code runs when the site is built. Text inside is kept.';

/** Parts of a line: text, and code between backticks. */
const withoutCode = (line: string, change: (text: string) => string): string =>
  line
    .split(/(`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');

/** Reads the text of a file line by line; code stays as it is. */
class MarkdownText {
  readonly lost: LostText[] = [];

  constructor(private readonly isMdx: boolean) {}

  read(text: string): string {
    let fence: string | undefined;
    return text
      .split('\n')
      .map((line) => {
        const mark = /^\s{0,3}(```|~~~)/.exec(line)?.[1];
        if (mark !== undefined && (fence === undefined || fence === mark)) {
          fence = fence === undefined ? mark : undefined;
          return line;
        }
        const highlight =
          fence === undefined ? /^\s*\{% highlight (\w+)[^%]{0,100}%\}\s*$/.exec(line)?.[1] : undefined;
        if (highlight !== undefined) {
          fence = 'highlight';
          return `\`\`\`${highlight}`;
        }
        if (fence === 'highlight' && /^\s*\{% endhighlight %\}\s*$/.test(line)) {
          fence = undefined;
          return '```';
        }
        return fence === undefined ? this.#line(line) : line;
      })
      .join('\n');
  }

  #line(line: string): string {
    if (this.isMdx && /^(?:import|export)\s/.test(line)) {
      this.lost.push([`the line ${line.slice(0, 200)}`, CODE]);
      return '';
    }
    return withoutCode(line, (text) => {
      const plain = this.#liquid(this.#shortCodes(text));
      return this.isMdx ? this.#components(plain) : plain;
    });
  }

  /** Of Hugo. */
  #shortCodes(text: string): string {
    return text.replaceAll(
      /\{\{[<%]\s*(\/?)\s*([\w./-]+)([^{}]{0,2000}?)\/?\s*[>%]\}\}/g,
      (...[, end, name = '', given = '']: string[]) => {
        if (end === '/') return '';
        const values = attributesOf(given);
        if (name === 'ref' || name === 'relref') return values.get('0') ?? values.get('path') ?? '';
        const src = values.get('src');
        if (name === 'figure' && src !== undefined)
          return `![${values.get('alt') ?? values.get('caption') ?? ''}](<${src}>)`;
        this.lost.push([`the short code ${name} ${given.trim()}`.trim().slice(0, 300), CODE]);
        return '';
      },
    );
  }

  /** Of Jekyll. */
  #liquid(text: string): string {
    return text
      .replaceAll(/\{%-?\s*(\w+)([^{}%]{0,2000})-?%\}/g, (_, name: string, given: string) => {
        if (name === 'post_url' || name === 'link')
          return `/${name === 'link' ? '' : '_posts/'}${given.trim().replace(/^\//, '')}`;
        if (!name.startsWith('end'))
          this.lost.push([`the tag ${name} ${given.trim()}`.trim().slice(0, 300), CODE]);
        return '';
      })
      .replaceAll(/\{\{\s*([^{}<%]{1,500}?)\s*\}\}/g, (_, given: string) => {
        if (/^site\.(?:baseurl|url)$/.test(given)) return '';
        const address = /^["']([^"']+)["']\s*\|\s*(?:relative_url|absolute_url)$/.exec(given)?.[1];
        if (address !== undefined) return address;
        this.lost.push([`the value ${given.slice(0, 200)}`, CODE]);
        return '';
      });
  }

  /** Of MDX: their names start with a capital. */
  #components(text: string): string {
    return text
      .replaceAll(/<(\/?)([A-Z][\w.]*)([^<>]{0,2000})>/g, (_, end: string, name: string) => {
        if (end === '') this.lost.push([`the component ${name}`, CODE]);
        return '';
      })
      .replaceAll(/\{([^{}]{0,500})\}/g, (_, given: string) => {
        if (!/^\s*\/\*/.test(given)) this.lost.push([`the expression ${given.trim().slice(0, 200)}`, CODE]);
        return '';
      });
  }
}

/** Markdown without short codes, tags of Liquid and components. @param isMdx whether it has components */
export function plainMarkdown(text: string, isMdx: boolean): PlainMarkdown {
  const reader = new MarkdownText(isMdx);
  return { markdown: reader.read(text), lost: reader.lost };
}

const pathKey = (address: string): string =>
  address
    .replace(/[?#].*$/s, '')
    .replace(/(?:index\.html)?\/?$/, '')
    .toLowerCase();

/** As an address in HTML names it. */
const decodedSource = (address: string): string => decodedAddress(address.replaceAll('&amp;', '&'));

/** Texts of a folder with the pictures and files that they name. */
export class MarkdownTexts {
  readonly assets = new Map<string, SourceAsset>();
  readonly #byPath = new Map<string, MarkdownFile>();
  readonly #byAddress = new Map<string, MarkdownFile>();
  /** Ids of assets by file and address. */
  readonly #found = new Map<string, string>();

  constructor(
    private readonly folder: MarkdownFolder,
    private readonly typeOf: (file: MarkdownFile) => string,
    private readonly lose: (file: MarkdownFile, reason: LostText) => void,
  ) {
    for (const file of folder.files) {
      this.#byPath.set(file.path.replace(/\.[^./]+$/, '').toLowerCase(), file);
      this.#byAddress.set(pathKey(addressOf(file)), file);
      this.#byAddress.set(pathKey(`/${file.key}`), file);
    }
  }

  /** A file beside the text, or at the place from which the generator serves it. @returns its id */
  async assetOf({ path: from }: MarkdownFile, address: string): Promise<string | undefined> {
    const { root } = this.folder;
    const bare = address.replace(/[?#].*$/s, '');
    if (bare === '' || isWeb(bare)) return undefined;
    const beside = path.posix.join('/', path.posix.dirname(from), bare);
    const places = bare.startsWith('/')
      ? ['/static', '/public', '', '/assets'].map((one) => `${one}${bare}`)
      : [beside];
    for (const place of places) {
      const file = await findFile(root, place);
      if (file === undefined) continue;
      const id = path.relative(root, file).split(path.sep).join('/');
      this.assets.set(id, {
        id,
        where: id,
        address: id,
        file,
        isPrivate: false,
        tags: [],
        texts: new Map(),
        fileName: path.basename(file).slice(0, limits.mediaFileNameLength),
      });
      return id;
    }
    return undefined;
  }

  async bodyOf(file: MarkdownFile): Promise<HtmlText | undefined> {
    if (file.body.trim() === '') return undefined;
    const { markdown, lost } = plainMarkdown(file.body, file.path.endsWith('.mdx'));
    for (const reason of lost) this.lose(file, reason);
    if (markdown.length > limits.conversionCharacters) {
      this.lose(file, ['the body', `It is longer than ${String(limits.conversionCharacters)} characters.`]);
      return undefined;
    }
    const html = markdownToHtml(markdown);
    for (const [, double, single] of html.matchAll(/<img\s[^<>]*?src=(?:"([^"<>]*)"|'([^'<>]*)')/gi)) {
      const src = decodedSource(double ?? single ?? '');
      const id = await this.assetOf(file, src);
      if (id !== undefined) this.#found.set(JSON.stringify([file.path, src]), id);
    }
    return new HtmlText(html, {
      assetOf: (src) => this.#found.get(JSON.stringify([file.path, decodedSource(src)])),
      entryOf: (href) => this.#linked(file, decodedSource(href)),
    });
  }

  /** By the path of a file, or by an address of the site. */
  #linked(file: MarkdownFile, href: string): EntryLink | undefined {
    const bare = href.replace(/[?#].*$/s, '');
    if (bare === '' || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(bare)) return undefined;
    const folder = path.posix.dirname(file.path);
    const places = bare.startsWith('/')
      ? [bare, `/content${bare}`, `/src/content${bare}`]
      : [`/${folder}/${bare}`, `/content/${bare}`];
    const names = places.map((one) =>
      path.posix
        .normalize(one)
        .slice(1)
        .replace(/\.(?:md|mdx|markdown)$/i, '')
        .replace(/\/$/, '')
        .toLowerCase(),
    );
    const local = `.${file.locale}`.toLowerCase();
    const found =
      names.flatMap((name) =>
        [
          `${name}${local}`,
          name,
          `${name}/index${local}`,
          `${name}/index`,
          `${name}/_index${local}`,
          `${name}/_index`,
        ].flatMap((one) => this.#byPath.get(one) ?? []),
      )[0] ??
      this.#byAddress.get(
        pathKey(bare.startsWith('/') ? bare : path.posix.join(addressOf(file), '..', bare)),
      );
    return found === undefined
      ? undefined
      : new EntryLink(this.typeOf(found), found.key === '' ? 'index' : found.key);
  }
}
