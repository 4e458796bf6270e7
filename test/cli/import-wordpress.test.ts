import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Desk, useApp } from '../support/desk.js';
import { importExport, importedEntries, useImports, type ImportOutcome } from '../support/export-import.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

const app = useApp();
const importing = useImports(app);

const cdata = (text: string): string => `<![CDATA[${text}]]>`;

/** An item, published unless the values say something else. */
function item(values: Readonly<Record<string, string>>, more = ''): string {
  const all: Record<string, string> = {
    'wp:post_type': 'post',
    'wp:status': 'publish',
    'wp:post_date_gmt': '2012-03-04 05:06:07',
    'dc:creator': 'ada',
    ...values,
  };
  return `<item>${Object.entries(all)
    .map(([name, text]) => `<${name}>${cdata(text)}</${name}>`)
    .join('')}${more}</item>`;
}

const site = (items: readonly string[], { scheme = 'http', more = '' } = {}): string =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:excerpt="${scheme}://wordpress.org/export/1.2/excerpt/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:wp="${scheme}://wordpress.org/export/1.2/"><channel><language>en</language>
  <wp:author><wp:author_login>ada</wp:author_login><wp:author_display_name>Ada Lock</wp:author_display_name></wp:author>
  ${more}${items.join('\n')}</channel></rss>`;

async function run(xml: string | Uint8Array): Promise<ImportOutcome> {
  const { folder, scene } = importing();
  await writeFile(path.join(folder, 'site.xml'), xml);
  return importExport(scene, 'wordpress', path.join(folder, 'site.xml'));
}

const post = (id: string, body: string, more: Readonly<Record<string, string>> = {}): string =>
  item({
    'wp:post_id': id,
    title: `Post ${id}`,
    'wp:post_name': `post-${id}`,
    link: `https://old.example/2012/post-${id}/`,
    'content:encoded': body,
    ...more,
  });

const text = (words: string) => ({ type: 'text', text: words });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });

describe('An import from WordPress', () => {
  it('turns lines of the classic editor into paragraphs, short codes into pictures, and addresses into links', async () => {
    const { folder, scene } = importing();
    await mkdir(path.join(folder, 'old.example', 'up'), { recursive: true });
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
    await writeFile(path.join(folder, 'old.example', 'up', 'lock.svg'), picture);
    const body = [
      'First line\nsecond line',
      '<blockquote>Quoted\n\nTwice</blockquote>',
      '<pre>a\n\nb</pre>',
      '[caption id="x" align="left" width="3"]<img src="http://old.example/up/lock-3x3.svg" alt="A lock" /> The lock[/caption]',
      '[gallery ids="9,404"]',
      'To <a href="https://old.example/2012/post-2/#top">two</a> [audio src="https://old.example/a.mp3"]',
    ].join('\r\n\r\n');
    const attachment = item({
      'wp:post_type': 'attachment',
      'wp:status': 'inherit',
      'wp:post_id': '9',
      title: 'Lock',
      'wp:attachment_url': '\n https://old.example/up/lock.svg ',
    });
    const odd = post('3', '', { link: 'https://old.example/2012/%zz/' });
    const outcome = await run(site([post('1', body), post('2', ''), odd, attachment]));
    expect(outcome.code).toBe(0);
    const posts = await importedEntries(scene, 'post');
    const { data } = (await new Desk(app(), scene.project).get('/media')).body as {
      data: { id: string; title: string }[];
    };
    const assetId = data[0]?.id;
    expect([data.length, data[0]?.title]).toEqual([1, 'Lock']);
    expect(posts.get('1')?.fields.body).toEqual({
      type: 'doc',
      content: [
        paragraph(text('First line'), { type: 'hardBreak' }, text('second line')),
        { type: 'blockquote', content: [paragraph(text('Quoted')), paragraph(text('Twice'))] },
        { type: 'codeBlock', content: [text('a\n\nb')] },
        {
          type: 'assetEmbed',
          attrs: expect.objectContaining({ assetId, alt: 'A lock', caption: 'The lock' }),
        },
        { type: 'assetEmbed', attrs: expect.objectContaining({ assetId }) },
        paragraph(
          text('To '),
          {
            ...text('two'),
            marks: [{ type: 'link', attrs: { entryId: posts.get('2')?.id, anchor: 'top' } }],
          },
          text(' '),
          {
            ...text('https://old.example/a.mp3'),
            marks: [{ type: 'link', attrs: expect.objectContaining({ href: 'https://old.example/a.mp3' }) }],
          },
        ),
      ],
    });
    expect(posts.get('1')).toMatchObject({
      createdBy: { name: 'Ada Lock' },
      createdAt: '2012-03-04T05:06:07.000Z',
    });
    expect(outcome.losses.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['the layout of a gallery', 'the player audio', 'the redirect to /post-3']),
    );
    const { body: redirects } = await new Desk(app(), scene.project).get('/redirects?orderBy=source:asc');
    expect(
      (redirects as { data: { source: string; target: string }[] }).data.map(({ source, target }) => [
        source,
        target,
      ]),
    ).toEqual([
      ['/2012/post-1', '/post-1'],
      ['/2012/post-2', '/post-2'],
    ]);
  });

  it('reports states, cycles of parents, doubled slugs and what it leaves out, item by item', async () => {
    const page = (id: string, parent: string, more = {}) =>
      post(id, 'x', { 'wp:post_type': 'page', 'wp:post_parent': parent, ...more });
    const outcome = await run(
      site(
        [
          page('1', '2'),
          page('2', '1'),
          page('12', '2'),
          page('3', '404'),
          page('4', '3', { 'wp:post_name': 'same' }),
          page('5', '3', { 'wp:post_name': 'same' }),
          post('6', '', { 'wp:status': 'private' }),
          post('7', '', { 'wp:status': 'trash' }),
          post('8', '', { 'wp:post_password': 'secret' }),
          post('8', ''),
          post(
            '9',
            '<!-- wp:paragraph --><p>Kept</p><!-- /wp:paragraph --><!-- wp:calendar {"a":1} /--><!--more-->',
          ),
          item({ 'wp:post_id': '10', 'wp:post_type': 'wp_block' }),
          post('11', '', { title: 'A <em>b</em> &amp; c' }),
        ],
        { scheme: 'https' },
      ),
    );
    expect(outcome.losses.map(({ where, what }) => `${where}: ${what}`).sort()).toEqual([
      'items[11] wp_block 10: the item',
      'items[9] post 8: the item',
      'page 12: the parent 2',
      'page 1: the parent 2',
      'page 2: the parent 1',
      'page 3: the parent 404',
      'page 5 / en / slug: the slug same',
      'post 11: the markup of the title',
      'post 6: the status private',
      'post 7: the entry',
      'post 8: the password',
      'post 9: the block calendar',
      'post 9: the break more',
    ]);
    const { scene } = importing();
    const [posts, pages] = [await importedEntries(scene, 'post'), await importedEntries(scene, 'page')];
    expect([...posts].map(([id, { status }]) => [id, status]).sort()).toEqual([
      ['11', 'published'],
      ['6', 'draft'],
      ['8', 'draft'],
      ['9', 'published'],
    ]);
    expect(posts.get('11')?.fields.title).toBe('A b & c');
    expect(posts.get('9')?.fields.body).toEqual({ type: 'doc', content: [paragraph(text('Kept'))] });
    expect(pages.get('4')?.treeParentId).toBe(pages.get('3')?.treeNodeId);
    expect([pages.get('5')?.slug, pages.get('1')?.treeParentId]).toEqual(['same-2', null]);
  });

  it('refuses what is no export, in one line', async () => {
    const bomb = '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel>&b;</channel></rss>';
    const latin = Buffer.from(site([post('1', 'caf\u00e9')]), 'latin1');
    for (const [xml, reason] of [
      [latin, 'it has bytes that are not UTF-8 after line 1'],
      [Buffer.from(site([post('1', 'caf\u00e9')])).subarray(0, -40), 'unclosed tag'],
      [Buffer.concat([Buffer.from('<rss>'), Buffer.of(0xc3)]), 'it has bytes that are not UTF-8'],
      ['', 'document must contain a root element'],
      ['<html></html>', 'its root is html'],
      ['<rss></rss>', 'it has no channel'],
      [site([post('1', 'x')]).slice(0, -40), 'unclosed tag'],
      [bomb, 'it has a document type'],
      [`<rss><channel>${'<a>'.repeat(50)}`, 'nested deeper than 10 levels'],
      ['<rss><channel>&unknown;</channel></rss>', 'undefined entity'],
    ] as const) {
      const { code, output } = await run(xml);
      expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
      expect(output.trim()).not.toContain('\n');
    }
  });
});
