import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readFrontMatter } from '../../src/cli/import/exports/markdown-files.js';
import { plainMarkdown } from '../../src/cli/import/exports/markdown-text.js';
import { Desk, useApp } from '../support/desk.js';
import { importExport, importedEntries, useImports, type ImportOutcome } from '../support/export-import.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

const app = useApp();
const importing = useImports(app);

const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';

/** Writes files into a folder, and imports it. */
async function run(files: Readonly<Record<string, string | Buffer>>): Promise<ImportOutcome> {
  const folder = path.join(importing().folder, 'site.folder');
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return importExport(importing().scene, 'markdown', folder);
}

const lost = ({ losses }: ImportOutcome): string[] => losses.map(({ where, what }) => `${where}: ${what}`);

/** The layout that Hugo documents under "Directory structure", "Multilingual" and "Front matter". */
const hugo = {
  'hugo.toml': 'defaultContentLanguage = "en"\n',
  'content/_index.md': '---\ntitle: Home\n---\nWelcome',
  'content/about/index.md': '+++\ntitle = "About"\n+++\n![Lock](lock.svg)',
  'content/about/lock.svg': picture,
  'static/img/all.svg': picture,
  'content/docs/_index.md': '---\ntitle: Docs\n---\n',
  'content/docs/locks/_index.md': '---\ntitle: Locks\nweight: 7\n---\n',
  'content/docs/locks/upper.md': [
    '+++\ntitle = "Upper"\ndate = 2020-01-02T03:04:05Z\nlastmod = 2020-02-03\ndraft = false\ntags = ["Old Locks", "Canal"]',
    'categories = ["How"]\naliases = ["/old/upper/", "other"]\nauthor = "Ada"\ncover = "/img/all.svg"\nrank = 3\n+++',
    'See [lower](../lower.md#gate), [about]({{< ref "about/index.md" >}}), [home](/) and [web](https://example.com).',
    '{{< youtube abc >}} `{{< kept >}}`\n\n```\n{{< kept >}}\n```\n\n{{< figure src="/img/all.svg" alt="All" >}}',
  ].join('\n'),
  'content/docs/lower.md': '---\ntitle: Lower\ndraft: true\n---\nText',
  'content/docs/lower.de.md': '---\ntitle: Untere\nslug: untere\n---\nDeutsch',
  'content/docs/later.md': '---\ntitle: Later\ndate: 2999-01-01\n---\n',
};

describe('An import of a Markdown folder', () => {
  it('brings a site for Hugo with tree, locales, terms, links, pictures, dates and redirects, once', async () => {
    const { scene } = importing();
    const outcome = await run(hugo);
    expect([outcome.code, lost(outcome)]).toEqual([
      0,
      [
        'content/docs/later.md / date: the schedule',
        'content/docs/locks/upper.md / body: the short code youtube abc',
        'user Ada: the name',
        'assets: dates and authors',
      ],
    ]);
    const [docs, pages] = [await importedEntries(scene, 'docs'), await importedEntries(scene, 'page')];
    const [terms, categories] = [
      await importedEntries(scene, 'tag'),
      await importedEntries(scene, 'category'),
    ];
    expect([...pages.keys()].sort()).toEqual(['about', 'index']);
    const upper = docs.get('docs/locks/upper');
    expect(upper).toMatchObject({
      slug: 'upper',
      status: 'published',
      treeParentId: docs.get('docs/locks')?.treeNodeId,
      createdAt: '2020-01-02T03:04:05.000Z',
      createdBy: { name: 'Ada' },
      fields: {
        title: 'Upper',
        rank: 3,
        cover: { _type: 'MediaAsset' },
        tags: [{ _ref: terms.get('old-locks')?.id }, { _ref: terms.get('canal')?.id }],
        categories: [{ _ref: categories.get('how')?.id }],
      },
    });
    const body = JSON.stringify(upper?.fields.body);
    for (const part of [
      `"entryId":"${docs.get('docs/lower')?.id ?? ''}"`,
      '"anchor":"gate"',
      `"entryId":"${pages.get('about')?.id ?? ''}"`,
      `"entryId":"${pages.get('index')?.id ?? ''}"`,
      '"text":"{{< kept >}}"',
      '"type":"assetEmbed"',
    ])
      expect(body).toContain(part);
    expect(JSON.stringify(pages.get('about')?.fields.body)).toContain('assetEmbed');
    expect([
      docs.get('docs/lower')?.status,
      docs.get('docs/later')?.status,
      docs.get('docs/locks')?.fields.weight,
    ]).toEqual(['draft', 'draft', 7]);
    const german = (await importedEntries(scene, 'docs', 'de')).get('docs/lower');
    expect([german?.slug, german?.fields.title]).toEqual(['untere', 'Untere']);
    const { body: redirects } = await new Desk(app(), scene.project).get('/redirects?orderBy=source:asc');
    const found = (redirects as { data: { source: string; target: string }[] }).data;
    expect(found.map(({ source, target }) => `${source} ${target}`)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\/docs\/locks\/other .*\/upper$/),
        expect.stringMatching(/^\/old\/upper .*\/upper$/),
      ]),
    );
    const second = await run({});
    expect(second.counts('entry').slice(0, 3)).toEqual([0, 0, outcome.counts('entry')[0]]);
    expect(second.counts('asset').slice(0, 3)).toEqual([0, 0, 2]);
    expect(second.counts('redirect').slice(0, 2)).toEqual([0, 0]);
  });

  /** Names of posts, permalinks and Liquid as the documentation of Jekyll has them. */
  it('brings posts and collections of Jekyll, with their old addresses', async () => {
    const { scene } = importing();
    const outcome = await run({
      '_config.yml': 'lang: de\n',
      '_posts/2020-01-02-lock.md':
        '---\nlayout: post\ntitle: Lock\ncategories: canals\nredirect_from: [/a, /b/]\n---\n{% include x.html %}\n{% highlight ruby %}\n{{ kept }}\n{% endhighlight %}\n[b]({% post_url 2020-01-03-gate %}) {{ page.title }}',
      '_posts/2020-01-03-gate.md': '---\ntitle: Gate\npermalink: /gate/\n---\n',
      '_drafts/idea.md': '---\ntitle: Idea\n---\n',
      '_staff/ada.md': '---\ntitle: Ada\n---\n',
      'contact.md': '---\npublished: false\n---\n# Contact\n',
    });
    expect(lost(outcome).sort()).toEqual([
      '_posts/2020-01-02-lock.md / body: the tag include x.html',
      '_posts/2020-01-02-lock.md / body: the value page.title',
    ]);
    const posts = await importedEntries(scene, 'post', 'de');
    expect([...posts].map(([id, { slug, status }]) => `${id} ${String(slug)} ${status}`).sort()).toEqual([
      '_drafts/idea idea draft',
      '_posts/2020-01-02-lock lock published',
      '_posts/2020-01-03-gate gate published',
    ]);
    const lock = posts.get('_posts/2020-01-02-lock');
    expect(JSON.stringify(lock?.fields.body)).toContain(
      `"entryId":"${posts.get('_posts/2020-01-03-gate')?.id ?? ''}"`,
    );
    expect(JSON.stringify(lock?.fields.body)).toContain('{{ kept }}');
    expect([...(await importedEntries(scene, 'staff', 'de')).keys()]).toEqual(['_staff/ada']);
    const [contact] = (await importedEntries(scene, 'page', 'de')).values();
    expect([contact?.status, contact?.fields.title]).toEqual(['draft', 'Contact']);
    const { body } = await new Desk(app(), scene.project).get('/redirects?orderBy=source:asc');
    expect((body as { data: { source: string }[] }).data.map(({ source }) => source)).toEqual(
      expect.arrayContaining(['/a', '/b', '/canals/2020/01/02/lock.html']),
    );
  });

  it('brings collections of Astro by locale, and names components of MDX as losses', async () => {
    const { scene } = importing();
    const outcome = await run({
      'src/content/blog/en/first.mdx':
        '---\ntitle: First\npubDate: 2024-05-06\nheroImage: ./hero.svg\n---\nimport Chart from "./c"\n\n# Head\n\n<Chart data={[1]} />\n\n<Note>**kept**</Note> {1 + 1}\n\n```js\nimport x from "y"\n```\n',
      'src/content/blog/en/hero.svg': picture,
      'src/content/blog/en/broken.md': '---\ntitle: [\n---\n',
      'src/content/blog/en/open.md': '---\ntitle: x\n',
      'src/content/blog/en/latin.md': Buffer.from([0xe4, 0x0a]),
      'README.md': 'not content',
    });
    expect(lost(outcome).filter((line) => !line.startsWith('assets'))).toEqual([
      'src/content/blog/en/broken.md: the file',
      'src/content/blog/en/latin.md: the file',
      'src/content/blog/en/open.md: the file',
      ...[
        'the line import Chart from "./c"',
        'the component Chart',
        'the component Note',
        'the expression 1 + 1',
      ].map((what) => `src/content/blog/en/first.mdx / body: ${what}`),
    ]);
    const [first] = (await importedEntries(scene, 'blog')).values();
    expect(first?.fields).toMatchObject({ pubDate: '2024-05-06', heroImage: { _type: 'MediaAsset' } });
    expect(JSON.stringify(first?.fields.body)).toContain('import x from');
    expect(JSON.stringify(first?.fields.body)).toContain('kept');
  });

  it('reads no file outside the folder, and follows no link', async () => {
    const { folder } = importing();
    await mkdir(path.join(folder, 'site.folder'));
    await writeFile(path.join(folder, 'secret.md'), '# Secret');
    await writeFile(path.join(folder, 'secret.svg'), picture);
    await symlink(path.join(folder, 'secret.md'), path.join(folder, 'site.folder', 'linked.md'));
    await symlink(path.join(folder, 'secret.svg'), path.join(folder, 'site.folder', 'linked.svg'));
    const outcome = await run({
      'a.md': '![x](../secret.svg) ![y](linked.svg) ![z](/etc/passwd)\n\n[up](../secret.md)',
    });
    expect([outcome.counts('entry')[0], outcome.counts('asset')]).toEqual([1, []]);
    expect(lost(outcome).filter((line) => line.includes('the picture'))).toHaveLength(3);
  });

  it('refuses folders without Markdown files and files in one line', async () => {
    const { folder, scene } = importing();
    await mkdir(path.join(folder, 'empty'));
    await writeFile(path.join(folder, 'a.md'), 'x');
    for (const [name, reason] of [
      ['empty', 'has no Markdown files'],
      ['a.md', 'it is no folder'],
      ['gone', 'no such file'],
    ] as const) {
      const { code, output } = await importExport(scene, 'markdown', path.join(folder, name));
      expect([code, output.trim().split('\n')]).toEqual([1, [expect.stringContaining(reason)]]);
    }
  });

  it('reads front matter of the three forms, and refuses aliases that multiply', () => {
    expect(readFrontMatter('{\n"a": 1\n}\nx')).toEqual({ values: { a: 1 }, body: 'x' });
    expect(readFrontMatter('\uFEFF---\r\na: 2020-01-02\r\n---\r\nx')).toEqual({
      values: { a: '2020-01-02' },
      body: 'x',
    });
    expect(readFrontMatter('+++\na = 2020-01-02\n+++\nx')).toEqual({
      values: { a: '2020-01-02' },
      body: 'x',
    });
    const bomb = `---\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'.replaceAll(
      /./g,
      (name) =>
        `${name}: &${name} [${Array(9)
          .fill(`*${String.fromCharCode(name.charCodeAt(0) - 1)}`)
          .join(',')}]\n`,
    )}---\n`;
    expect(() => readFrontMatter(bomb)).toThrow(/alias/i);
    const hostile = '{{< '.repeat(20_000) + '{'.repeat(20_000) + '<A '.repeat(20_000);
    expect(plainMarkdown(hostile, true).markdown.length).toBeGreaterThan(0);
  });
});
