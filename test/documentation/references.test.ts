import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { withSettingsTable } from '../../src/cli/generate/generated-files.js';
import { requirements } from '../requirements/index.js';
import { readPages, root, type Page } from './pages.js';

let pages: Page[];
beforeAll(async () => {
  pages = await readPages();
});

/** Matches that fail `isFine`, as `page: match`. */
function problems(
  pattern: RegExp,
  isFine: (page: Page, match: string) => boolean,
  of: 'prose' | 'text' = 'prose',
): string[] {
  return pages.flatMap((page) =>
    [...page[of].matchAll(pattern)]
      .map(([, match = '']) => match)
      .filter((match) => !isFine(page, match))
      .map((match) => `${page.name}: ${match}`),
  );
}

function resolves(page: Page, link: string): boolean {
  if (link.startsWith('https://')) return true;
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page.name : path.join(path.dirname(page.name), file);
  if (target.startsWith('..') || !existsSync(path.join(root, target))) return false;
  return anchor === undefined || pages.find(({ name }) => name === target)?.anchors.has(anchor) === true;
}

describe('README files', () => {
  it('link only to files and headings that exist', () => {
    expect(problems(/\]\(([^)\s]+)\)/g, resolves)).toEqual([]);
  });

  it('name only files and folders that exist', () => {
    const named = /`((?:src|contracts|test|openapi)\/[\w./-]+)`/g;
    expect(problems(named, (_page, name) => existsSync(path.join(root, name)))).toEqual([]);
  });

  it('name only npm scripts that exist', () => {
    const isScript = (_page: Page, name: string): boolean => name in packageJson.scripts;
    expect(problems(/npm run ([a-z:-]+)/g, isScript, 'text')).toEqual([]);
  });

  it('list every setting with its description from the configuration', () => {
    const page = pages.find(({ name }) => name === 'src/process/README.md');
    expect(withSettingsTable(page?.text ?? '')).toBe(page?.text);
    expect(page?.text).toContain('| `DATABASE_URL`');
  });

  it('start with an entry page of at most 160 lines', () => {
    expect(pages[0]?.text.split('\n').length).toBeLessThanOrEqual(160);
  });
});

const page = (name: string): string => pages.find((one) => one.name === name)?.prose ?? '';

const rulesPage = 'contracts/README.md';

/** Names of rules: third-level headings of the rules page. */
const ruleNames = (): string[] => [...page(rulesPage).matchAll(/^### (.+)$/gm)].map(([, name = '']) => name);

let isRule: (name: string) => boolean;
beforeAll(() => {
  const counts = Map.groupBy(ruleNames(), (name) => name);
  isRule = (name) => counts.get(name)?.length === 1;
});

/** Whether src/README.md has the chapter, such as `## 5. One request`. */
const isChapter = (number: string): boolean =>
  new RegExp(`^## ${number.replaceAll('.', '\\.')}\\. `, 'm').test(page('src/README.md'));

const ruleCitation =
  /\b[Rr]ules? ([a-z-]+\/[a-z-]+(?:(?:,|,? and)[\s*/]+[a-z-]+\/[a-z-]+)*)(?![\w/-]|\.[a-z])/g;
const chapterCitation = /\barchitecture §?(\d+(?:\.\d+)?)/g;

/** What the text cites and the repository does not have. */
function unresolvedIn(text: string): { unresolved: string[]; count: number } {
  const rules = [...text.matchAll(ruleCitation)].flatMap(
    ([, names = '']) => names.match(/[a-z-]+\/[a-z-]+/g) ?? [],
  );
  const chapters = [...text.matchAll(chapterCitation)].map(([, number = '']) => number);
  return {
    unresolved: [
      ...rules.filter((name) => !isRule(name)),
      ...chapters.filter((number) => !isChapter(number)).map((number) => `architecture ${number}`),
    ],
    count: rules.length + chapters.length,
  };
}

describe('The rules page', () => {
  it('names every rule once, in the form area/rule', () => {
    const names = ruleNames();
    expect(names.filter((name) => !/^[a-z-]+\/[a-z-]+$/.test(name))).toEqual([]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.length).toBeGreaterThan(60);
  });

  it('refers only to rules that it has', () => {
    const named = [...page(rulesPage).matchAll(/\(`([a-z-]+\/[a-z-]+)`\)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !isRule(name))).toEqual([]);
  });

  it('does not grow beyond its number of words', () => {
    expect(page(rulesPage).split(/\s+/).length).toBeLessThanOrEqual(9_000);
  });
});

/** Sources of requirements besides rules and chapters. */
const otherSources: readonly string[] = ['operation', 'additive'];

function isSource(source: string): boolean {
  const [, chapter] = /^architecture ([\d.]+)$/.exec(source) ?? [];
  if (chapter !== undefined) return isChapter(chapter);
  return otherSources.includes(source) || isRule(source);
}

describe('Sources of requirements', () => {
  it('resolve to a heading of the repository', () => {
    const sources = Object.values<{ source: string }>(requirements).flatMap(({ source }) =>
      source.split(', '),
    );
    expect([...new Set(sources)].filter((source) => !isSource(source))).toEqual([]);
  });
});

async function sourcesBelow(folder: string): Promise<string[]> {
  const names = await readdir(path.join(root, folder), { recursive: true });
  return names.filter((name) => /\.(?:ts|js|sql)$/.test(name)).map((name) => path.join(folder, name));
}

/** Code and README files with their text. */
async function readSources(): Promise<{ name: string; text: string }[]> {
  const files = (await Promise.all(['contracts', 'src', 'test'].map(sourcesBelow))).flat();
  const code = files.map(async (name) => ({ name, text: await readFile(path.join(root, name), 'utf8') }));
  return [...(await Promise.all(code)), ...pages];
}

describe('Citations', () => {
  let sources: { name: string; text: string }[];
  beforeAll(async () => {
    sources = await readSources();
  });

  it('resolve to exactly one heading of the repository', () => {
    const missing: string[] = [];
    let total = 0;
    for (const { name, text } of sources) {
      const { unresolved, count } = unresolvedIn(text);
      total += count;
      missing.push(...unresolved.map((citation) => `${name}: ${citation}`));
    }
    expect(missing).toEqual([]);
    expect(total).toBeGreaterThan(250);
  });

  it('name a rule, not a number', () => {
    const numbered = /\b(?:decisions?|specification|hardening) §?\d+(?:\.\d+)?/gi;
    const found = sources.flatMap(({ name, text }) =>
      [...text.matchAll(numbered)].map(([citation]) => `${name}: ${citation}`),
    );
    expect(found).toEqual([]);
  });
});
