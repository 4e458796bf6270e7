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

const homes = {
  decisions: 'contracts/README.md',
  specification: 'contracts/README.md',
  architecture: 'src/README.md',
};
type Source = keyof typeof homes;

const page = (name: string): string => pages.find((one) => one.name === name)?.prose ?? '';

/**
 * Whether a heading defines the number: `### 2.4 API keys`, `### Specification 4.1: …`, `## 5. One request`.
 */
function explains(source: Source, number: string): boolean {
  const home = page(homes[source]);
  const escaped = number.replaceAll('.', '\\.');
  const heading = {
    decisions: `^### ${escaped} `,
    specification: `^### Specification ${escaped}: `,
    architecture: `^## ${escaped}\\. `,
  }[source];
  return new RegExp(heading, 'm').test(home);
}

function hasRule(section: string, rule: string): boolean {
  const home = page(homes.specification);
  const start = home.indexOf(`### Specification ${section}: `);
  const body = home.slice(start + 1).split('\n### ')[0] ?? '';
  return new RegExp(`^${rule}\\. `, 'm').test(body);
}

const citation =
  /\b(decisions|specification|architecture) §?(\d+(?:\.\d+)?)(?: rule (\d+))?((?:(?:,| and) §?\d+\.\d+)*)/g;

function citationsIn(text: string): { source: Source; number: string; rule: string | undefined }[] {
  return [...text.matchAll(citation)].flatMap(([, source, first = '', rule, others = '']) =>
    [first, ...(others.match(/\d+\.\d+/g) ?? [])].map((number) => ({
      source: source as Source,
      number,
      rule: number === first ? rule : undefined,
    })),
  );
}

/** `2.1` is a decision, `spec 4.2.2` a rule of a section; `operation` and `additive` are rules without a number. */
function isResolved(source: string): boolean {
  if (source === 'operation' || source === 'additive') return true;
  const [, chapter, number = ''] = /^(?:(spec|hardening|architecture) )?([\d.]+)$/.exec(source) ?? [];
  if (chapter === undefined) return explains('decisions', number);
  if (chapter === 'architecture') return explains('architecture', number);
  if (chapter === 'hardening') return page(homes.decisions).includes(`\n### Hardening ${number}: `);
  const rule = number.lastIndexOf('.');
  return explains('specification', number) || hasRule(number.slice(0, rule), number.slice(rule + 1));
}

describe('Sources of requirements', () => {
  it('resolve to a heading or a rule of the repository', () => {
    const sources = Object.values<{ source: string }>(requirements).flatMap(({ source }) =>
      source.split(', '),
    );
    expect([...new Set(sources)].filter((source) => !isResolved(source))).toEqual([]);
  });
});

async function sourcesBelow(folder: string): Promise<string[]> {
  const names = await readdir(path.join(root, folder), { recursive: true });
  return names.filter((name) => /\.(?:ts|js|sql)$/.test(name)).map((name) => path.join(folder, name));
}

describe('Citations in the code', () => {
  it('resolve to a heading or a numbered rule in the repository', async () => {
    const files = (await Promise.all(['contracts', 'src', 'test'].map(sourcesBelow))).flat();
    const unresolved: string[] = [];
    let count = 0;
    for (const file of files)
      for (const { source, number, rule } of citationsIn(await readFile(path.join(root, file), 'utf8'))) {
        count += 1;
        const isExplained = explains(source, number) && (rule === undefined || hasRule(number, rule));
        if (!isExplained)
          unresolved.push(`${file}: ${source} ${number}${rule === undefined ? '' : ` rule ${rule}`}`);
      }
    expect(unresolved).toEqual([]);
    expect(count).toBeGreaterThan(50);
  });
});
