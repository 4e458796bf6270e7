import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import MarkdownIt from 'markdown-it';

/** Parts of the navigation, by the folders whose pages they have; the first that fits counts. */
const groups = [
  ['Start', /^(?:|src\/surfaces)$/],
  ['Interfaces', /^src\/(?:surfaces|cli)\//],
  ['Operation', /^src\/(?:process|deploy)(?:\/|$)/],
  ['Features', /^src\/features\//],
  ['Rules and structure', /./],
];

const groupOf = (folder) => groups.find(([, folders]) => folders.test(folder))?.[0] ?? '';

export const groupNames = groups.map(([name]) => name);

/** Folders whose `README.md` is a page. */
async function foldersOf(root) {
  const found = await Promise.all(
    ['contracts', 'src'].map(async (part) => {
      const files = await readdir(path.join(root, part), { recursive: true });
      return files
        .filter((file) => path.basename(file) === 'README.md' && !/(?:^|[\\/])node_modules[\\/]/.test(file))
        .map((file) => path.posix.join(part, path.dirname(file).split(path.sep).join('/')));
    }),
  );
  return ['', ...found.flat().sort()];
}

/** Names of the files by folder: the last part of the folder, with the part above it where two are equal. */
function slugsOf(folders) {
  const slugs = new Map();
  const taken = new Set();
  for (const folder of folders) {
    const parts = folder.split('/');
    const short = folder === '' ? 'index' : parts.at(-1);
    const slug = taken.has(short) ? parts.slice(-2).join('-') : short;
    taken.add(slug);
    slugs.set(folder, slug);
  }
  return slugs;
}

/** The anchor of a heading, as links in the pages name it. */
function anchors() {
  const counts = new Map();
  return (text) => {
    const base = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
}

const plainText = (token) =>
  (token?.children ?? [])
    .map(({ type, content }) =>
      type === 'softbreak' || type === 'hardbreak'
        ? ' '
        : type === 'text' || type === 'code_inline'
          ? content
          : '',
    )
    .join('');

/**
 * The address of a link or picture on a page; undefined for what is no page.
 * @param target as the page names it, relative to its folder
 */
function addressOf(target, { folder, slugs, pictures }) {
  if (/^(?:[a-z]+:|#|\/)/i.test(target)) return target;
  const [file = '', anchor] = target.split('#');
  const place = path.posix.join(folder, file);
  const page = slugs.get(place.replace(/(?:^|\/)(?:README\.md)?$/, '').replace(/^\.$/, ''));
  if (page !== undefined) return `${page}.html${anchor === undefined ? '' : `#${anchor}`}`;
  if (!/\.(?:webp|png|svg)$/.test(place)) return undefined;
  const name = place.replaceAll('/', '-');
  pictures.set(name, place);
  return name;
}

/** Rewrites the addresses of a line of text; a link to a file that is no page becomes text. */
function rewrite(tokens, place) {
  const open = [];
  for (const token of tokens) {
    if (token.type === 'image') token.attrSet('src', addressOf(token.attrGet('src') ?? '', place) ?? '');
    if (token.type === 'link_open') {
      const address = addressOf(token.attrGet('href') ?? '', place);
      if (address === undefined) Object.assign(token, { tag: 'span', attrs: null });
      else token.attrSet('href', address);
      open.push(token.tag);
    }
    if (token.type === 'link_close') token.tag = open.pop() ?? token.tag;
  }
}

/** Sections of a page for its list of headings and for search. */
function sectionsOf(tokens) {
  const anchorOf = anchors();
  const sections = [];
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const title = plainText(tokens[index + 1]);
      const anchor = anchorOf(title);
      token.attrSet('id', anchor);
      sections.push({ level: Number(token.tag.slice(1)), title, anchor, text: '' });
      return;
    }
    const section = sections.at(-1);
    if (section === undefined || tokens[index - 1]?.type === 'heading_open') return;
    if (token.type === 'inline') section.text += `${plainText(token)} `;
    if (token.type === 'fence') section.text += `${token.content} `;
  });
  return sections;
}

/**
 * The pages of the documentation: each `README.md` of the project.
 * @returns pages with their HTML and sections, and the places of pictures by the names of their files
 */
export async function markdownPages(root) {
  const markdown = new MarkdownIt({ html: true });
  const folders = await foldersOf(root);
  const slugs = slugsOf(folders);
  const pictures = new Map();
  const pages = await Promise.all(
    folders.map(async (folder) => {
      const text = await readFile(path.join(root, folder, 'README.md'), 'utf8');
      const tokens = markdown.parse(text, {});
      for (const { children } of tokens) if (children) rewrite(children, { folder, slugs, pictures });
      const sections = sectionsOf(tokens);
      const html = markdown.renderer.render(tokens, markdown.options, {});
      const title = folder === '' ? 'Overview' : (sections[0]?.title ?? folder);
      return { slug: slugs.get(folder), group: groupOf(folder), title, sections, html };
    }),
  );
  return { pages, pictures };
}
