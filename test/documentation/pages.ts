import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A fenced block; `line` is its first line of code. */
export interface CodeBlock {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

/** A README by its path from the root. */
export interface Page {
  readonly name: string;
  readonly text: string;
  /** The text without fenced blocks. */
  readonly prose: string;
  readonly blocks: readonly CodeBlock[];
  readonly anchors: ReadonlySet<string>;
}

export const root = path.resolve(import.meta.dirname, '../..');

const fence = /^```(\w*)\n([\s\S]*?)^```$/gm;

function blocksOf(page: string, text: string): CodeBlock[] {
  return [...text.matchAll(fence)].map(({ index, 1: language = '', 2: code = '' }) => ({
    page,
    line: text.slice(0, index).split('\n').length + 1,
    language,
    code,
  }));
}

/** Heading anchors as repository hosts generate them: lower case, no punctuation, hyphens for spaces. */
function anchorsOf(prose: string): Set<string> {
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => title);
  return new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

async function readPage(name: string): Promise<Page> {
  const text = await readFile(path.join(root, name), 'utf8');
  const prose = text.replaceAll(fence, '');
  return { name, text, prose, blocks: blocksOf(name, text), anchors: anchorsOf(prose) };
}

async function readmesBelow(folder: string): Promise<string[]> {
  const names = await readdir(path.join(root, folder), { recursive: true });
  return names.filter((name) => path.basename(name) === 'README.md').map((name) => path.join(folder, name));
}

/** Every README, the top-level one first. */
export async function readPages(): Promise<Page[]> {
  const rooms = (await Promise.all(['contracts', 'src', 'test'].map(readmesBelow))).flat();
  return Promise.all(['README.md', ...rooms.sort()].map(readPage));
}
