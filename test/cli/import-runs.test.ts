import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { asset, entry, field, link, space, type, note, post } from '../support/contentful-space.js';
import { Desk, useApp } from '../support/desk.js';
import {
  contentfulRuns,
  importExport,
  importedEntries,
  useImports,
  whats,
} from '../support/export-import.js';
import { sessionWith } from '../support/members.js';
import { verifies } from '../support/verifies.js';

verifies('entries/import-exports');

const app = useApp();
const importing = useImports(app);

const { file, run } = contentfulRuns(importing);

describe('A run of an import', () => {
  it('writes a mapping in a dry run, and reads it when it was edited', async () => {
    const { folder, scene } = importing();
    const fields = [field('title', 'Symbol'), field('body', 'Text'), field('secret', 'Symbol')];
    const content = space({
      locales: [{ code: 'en-US', name: 'English', default: true }],
      contentTypes: [type('blogPost', fields), type('other', [field('title', 'Symbol')])],
      entries: [
        entry('blogPost', 'a', {
          title: { 'en-US': 'A' },
          body: { 'en-US': '# Big' },
          secret: { 'en-US': 's' },
        }),
        entry('other', 'b', { title: { 'en-US': 'B' } }),
      ],
    });
    const dry = await run(content, '--dry-run');
    expect([dry.code, dry.counts('entry')[0], dry.output]).toEqual([
      0,
      2,
      expect.stringContaining('Nothing was changed.'),
    ]);
    const desk = new Desk(app(), scene.project);
    expect((await desk.get('/content-types')).body).toMatchObject({ data: [] });
    const mapping = path.join(folder, 'space.mapping.yaml');
    const edited = (await readFile(mapping, 'utf8'))
      .replace('en-US: en-US', 'en-US: en')
      .replace('ada: ada', 'ada: Ada Lock')
      .replace('apiName: blogPost', 'apiName: article')
      .replace(/(body:\s+apiName: body\s+kind: )longText/, '$1richText')
      .replace(/secret:\s+apiName: secret\s+kind: text\s+required: false/, 'secret: null')
      .replace(/other:\n\s+apiName: other[^]*$/, 'other: null\n');
    await writeFile(mapping, edited);
    const outcome = await run(content);
    expect([outcome.counts('type')[3], outcome.counts('field')[3], outcome.counts('entry')]).toEqual([
      1,
      1,
      [1, 0, 0, 1, 0],
    ]);
    const found = (await importedEntries(scene, 'article')).get('a');
    const heading = { type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: 'Big' }] };
    expect(found).toMatchObject({ locale: 'en', createdBy: { name: 'Ada Lock' } });
    expect(found?.fields).toEqual({ title: 'A', body: { type: 'doc', content: [heading] } });
    for (const [wrong, reason] of [
      [
        edited.replace('kind: richText', 'kind: boolean'),
        'blogPost.body has longText values, which cannot be read as boolean.',
      ],
      [edited.replace('other: null', 'another: null'), 'names the type another'],
      [`${edited}more: 1\n`, 'Unrecognized key'],
      [edited.replace('system: contentful', 'system: &a [*a]'), 'mapping'],
    ] as const) {
      await writeFile(mapping, wrong);
      const refused = await run(content);
      expect([refused.code, refused.output]).toEqual([1, expect.stringContaining(reason)]);
    }
  });

  it('refuses what is no export, in one line', async () => {
    const { folder, scene } = importing();
    for (const [content, reason] of [
      ['{"contentTypes": [', 'is not JSON, or is truncated.'],
      ['', 'is not JSON, or is truncated.'],
      ['[]', 'is not an export of Contentful'],
      ['{"contentTypes": []}', 'has no locales'],
      ['{"contentTypes": []} 1', 'is not JSON, or is truncated.'],
      ['{"contentTypes": [1,]}', 'is not JSON, or is truncated.'],
      ['{"contentTypes": [], "locales": [{"sys": 1]]}', 'is not JSON after byte 33.'],
      ['{"content\\xTypes": []}', 'is not JSON after byte 1.'],
      ['{"types": []}', 'it has no contentTypes.'],
      ['"contentTypes"', 'is not JSON, or is truncated.'],
    ] as const) {
      const { code, output } = await run(content);
      expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
      expect(output).not.toContain('\n');
    }
    const missing = await importExport(scene, 'contentful', path.join(folder, 'none.json'));
    expect([missing.code, missing.output]).toEqual([
      1,
      expect.stringContaining('cannot be read: no such file.'),
    ]);
    const latin = path.join(folder, 'latin.json');
    await writeFile(latin, Buffer.from('{"contentTypes": [], "locales": [{"name": "caf\u00e9"}]}', 'latin1'));
    const garbled = await importExport(scene, 'contentful', latin);
    expect([garbled.code, garbled.output]).toEqual([
      1,
      expect.stringContaining('has bytes that are not UTF-8'),
    ]);
    const unknown = await importExport(scene, 'joomla', file());
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringMatching(/^Say contentful/)]);
  });

  it('reports malformed parts item by item and imports the rest', async () => {
    const { folder, scene } = importing();
    await writeFile(
      path.join(folder, 'outside.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
    );
    const inner = path.join(folder, 'inner');
    await mkdir(path.join(inner, 'h'), { recursive: true });
    await symlink(path.join(folder, 'outside.svg'), path.join(inner, 'h', 'link.svg'));
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    const content = JSON.stringify(
      space({
        contentTypes: [
          type('post', [
            field('title', 'Symbol'),
            field('slug', 'Symbol'),
            field('data', 'Object'),
            field('count', 'Integer'),
            field('next', 'Link', { linkType: 'Entry' }),
          ]),
          { sys: {} },
        ],
        entries: [
          note('a', { slug: { en: 'same' }, next: { en: link('Entry', 'gone') }, other: { en: 1 } }),
          note('b', { slug: { en: 'same' }, count: { en: 'many' } }),
          note('c', { data: { en: 'DEEP' }, next: { en: 'text' } }),
          note('a'),
          entry('unknown', 'd', {}),
          'text',
          note('f', { title: { en: 'F', XPROTOX: 'x' }, XPROTOX: { en: 'x' } }),
          note('e', {}, { createdAt: 'long ago', updatedAt: '2999-01-01T00:00:00Z' }),
        ],
        assets: [asset('up', '//../../outside.svg'), asset('link', '//h/link.svg'), asset('none', ':::')],
      }),
    )
      .replace('"DEEP"', deep)
      .replaceAll('XPROTOX', '__proto__');
    await writeFile(path.join(inner, 'space.json'), content);
    const outcome = await importExport(scene, 'contentful', path.join(inner, 'space.json'));
    expect(outcome.code).toBe(0);
    expect(whats(outcome, 'entry').sort()).toEqual([
      'entries[3]: the item',
      'entries[5]: the item',
      'entries[6] / fields / __proto__: the value',
      'entries[6] / fields / title / __proto__: the value',
      'entry a / en / next: the link to entry gone',
      'entry a / other: the value',
      'entry b / en / count: the value',
      'entry b / en / slug: the slug same',
      'entry c / en / data: the value',
      'entry c / en / next: the value',
      'entry d: the entry',
      'entry e / en / createdAt: the value',
      'entry e / en / updatedAt: the value',
    ]);
    expect(whats(outcome, 'type')).toEqual(['contentTypes[1]: the item']);
    expect(whats(outcome, 'asset').length).toBe(3);
    const entries = await importedEntries(scene, 'post');
    expect([...entries.keys()].sort()).toEqual(['a', 'b', 'c', 'e', 'f']);
    expect([...entries.values()].every(({ status }) => status === 'published')).toBe(true);
    expect(entries.get('a')?.slug).toBe('same');
    expect(entries.get('b')?.slug).toBe('same-2');
    const second = await importExport(scene, 'contentful', path.join(inner, 'space.json'));
    expect([second.counts('entry').slice(0, 3), second.losses]).toEqual([[0, 0, 5], outcome.losses]);
  });

  it('continues with --resume where it was stopped', async () => {
    const { scene } = importing();
    const entries = Array.from({ length: 250 }, (_, index) => note(`n${String(index).padStart(3, '0')}`));
    await writeFile(file(), JSON.stringify(space({ contentTypes: [post], entries })));
    let batches = 0;
    const proxy = http.createServer((request, response) => {
      const isBatch = request.url?.endsWith('/entries/batch') === true;
      batches += isBatch ? 1 : 0;
      if (isBatch && batches >= 2 && batches < 100) {
        request.socket.destroy();
        return;
      }
      const { method, url = '', headers } = request;
      const onward = http.request(new URL(url, app().baseUrl), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as { port: number };
    const through = { ...scene, app: { ...app(), baseUrl: `http://127.0.0.1:${String(port)}` } };
    try {
      const stopped = await importExport(through, 'contentful', file());
      expect([stopped.code, stopped.output]).toEqual([1, expect.stringContaining('cannot be reached')]);
      expect((await importedEntries(scene, 'post')).size).toBe(100);
      batches = 100;
      const resumed = await importExport(through, 'contentful', file(), '--resume');
      expect([resumed.code, resumed.counts('entry'), batches]).toEqual([0, [150, 0, 0, 0, 0], 102]);
    } finally {
      await new Promise((resolve) => proxy.close(resolve));
    }
    expect((await importedEntries(scene, 'post')).size).toBe(250);
    const whole = await importExport(scene, 'contentful', file(), '--resume');
    expect(whole.counts('entry')).toEqual([0, 0, 250, 0, 0]);
  });

  it('refuses the progress of another import, unless nothing was done', async () => {
    const progress = path.join(importing().folder, 'space.progress');
    const content = space({ contentTypes: [post], entries: [note('a')] });
    await writeFile(progress, 'other\n["post","a"]\n');
    const { code, output } = await run(content, '--resume');
    expect([code, output]).toEqual([1, expect.stringContaining('belongs to another import.')]);
    for (const nothing of ['', 'oth', 'other\n', 'other\n["po']) {
      await writeFile(progress, nothing);
      expect([nothing, (await run(content, '--resume')).code]).toEqual([nothing, 0]);
    }
  });

  it('changes nothing in a project whose content types differ, and lists their fields in a dry run', async () => {
    const { scene } = importing();
    const desk = new Desk(app(), scene.project);
    await desk.post('/content-types', {
      apiName: 'post',
      name: 'Post',
      fields: [{ apiName: 'title', type: 'integer' }],
    });
    const content = space({
      contentTypes: [post, type('extra', [field('title', 'Symbol')])],
      entries: [note('a')],
    });
    const { code, output } = await run(content);
    expect([code, output]).toEqual([1, expect.stringContaining('post.title (text), post.next (reference)')]);
    expect((await desk.get('/content-types/extra')).status).toBe(404);

    const mapping = path.join(importing().folder, 'map.json');
    const dry = await run(content, '--dry-run', '--mapping', mapping);
    expect([dry.code, dry.output]).toEqual([2, expect.stringContaining('lack 2 fields of the mapping')]);
    expect([dry.counts('type'), dry.counts('field'), dry.counts('entry')]).toEqual([
      [1, 0, 1, 0, 0],
      [1, 0, 0, 0, 2],
      [1, 0, 0, 0, 0],
    ]);
    const lost = dry.losses.filter(({ kind }) => kind === 'field');
    expect(lost.map(({ where, why }) => `${where}: ${why}`)).toEqual([
      'post.title: The content type post of the project has this field with the kind integer.',
      'post.next: The content type post of the project has no such field.',
    ]);
    const written = JSON.parse(await readFile(mapping, 'utf8')) as { types: Record<string, object> };
    expect(written.types.post).toMatchObject({ apiName: 'post' });
    written.types.post = { ...written.types.post, apiName: 'article' };
    await writeFile(mapping, JSON.stringify(written));
    const outcome = await run(content, '--mapping', mapping);
    expect([outcome.output, outcome.code, outcome.counts('entry')[0]]).toEqual([expect.any(String), 0, 1]);
    expect([...(await importedEntries(scene, 'article')).keys()]).toEqual(['a']);
  });

  it('imports with a role what it may, without dates, and names the type that it may not write', async () => {
    const { scene } = importing();
    const types = { contentTypes: [post, type('extra', [field('title', 'Symbol')])] };
    await run(space(types));
    const reads = ['contentTypes', 'sites', 'media', 'entries'].map((resource) => ({
      resource,
      action: 'read',
    }));
    const scope = { contentTypes: ['post'] };
    const writes = ['create', 'update', 'publish'].map((action) => ({ resource: 'entries', action, scope }));
    importing().scene = { ...scene, key: await sessionWith(app(), scene.project, [...reads, ...writes]) };
    const outcome = await run(
      space({ ...types, entries: [note('a'), entry('extra', 'b', { title: { en: 'B' } })] }),
    );
    expect([outcome.output, outcome.code]).toEqual([expect.any(String), 2]);
    expect(whats(outcome, 'entry')).toEqual([
      'entry a / dates and author: dates and author',
      'entry b / en: the entry',
    ]);
    expect((await importedEntries(scene, 'post')).get('a')?.status).toBe('published');
  });
});
