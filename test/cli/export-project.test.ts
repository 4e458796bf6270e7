import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectResources } from '../../contracts/rights.js';
import { lineFiles } from '../../src/cli/export/export-format.js';
import { runDiffCommand } from '../../src/cli/export/diff-exports.js';
import { linesOf, outputOf, silent, useDemoExport } from '../support/demo-export.js';

const demo = useDemoExport();

describe('An export', () => {
  it('has every entry with the drafts and states of its locales, and what readers see of a changed one', async () => {
    const { client, sample } = demo();
    const lines = await linesOf(sample, 'entries.jsonl');
    const of = { projectSlug: 'demo' } as const;
    for (const line of lines) {
      const { data } = await client.call('entries', 'get', { ...of, id: line.id });
      expect(Object.keys(line.locales).sort()).toEqual(data.locales.map(({ locale }) => locale).sort());
      for (const [locale, { fields, status, publishedAt, slug }] of Object.entries(line.locales)) {
        const draft = (await client.call('entries', 'get', { ...of, id: line.id, locale })).data;
        expect(fields).toEqual(draft.fields);
        expect(draft.locales).toContainEqual(expect.objectContaining({ locale, status, publishedAt, slug }));
      }
    }
    const winter = lines.find(({ locales }) => locales.en?.slug === 'a-winter-without-water');
    expect(winter?.locales.en?.status).toBe('changed');
    const { fields, published } = winter?.locales.en ?? {};
    expect(Object.keys(published?.fields ?? {}).sort()).toEqual(Object.keys(fields ?? {}).sort());
    expect(published?.fields).not.toEqual(fields);
  });

  it('of history has every version of every entry', async () => {
    const { client, sample } = demo();
    const lines = await linesOf(sample, 'history.jsonl');
    for (const { id } of await linesOf(sample, 'entries.jsonl')) {
      const { data } = await client.call('entries', 'listVersions', { projectSlug: 'demo', id });
      const own = lines.filter(({ entryId }) => entryId === id);
      expect(own.map(({ version }) => version)).toEqual(data.map(({ versionNum }) => versionNum).sort());
      const [first] = own;
      const read = await client.call('entries', 'getVersion', { projectSlug: 'demo', id, versionNum: 1 });
      expect(first?.content).toEqual(read.data);
    }
  });

  it('as an archive has the files of the folder, which tar unpacks', async () => {
    const { folder, sample, run } = demo();
    expect(await run('demo.tar.gz', '--history')).toBe(
      'demo.tar.gz: 21 entries, 13 assets, 16 tree nodes, 4 redirects.\n',
    );
    const unpacked = await mkdtemp(path.join(folder, 'unpacked-'));
    execFileSync('tar', ['xzf', path.join(folder, 'demo.tar.gz'), '-C', unpacked]);
    for (const name of [
      ...lineFiles,
      ...(await readdir(path.join(sample, 'media'))).map((one) => `media/${one}`),
    ])
      expect(await readFile(path.join(unpacked, name))).toEqual(await readFile(path.join(sample, name)));
    for (const file of lineFiles)
      expect(await linesOf(path.join(folder, 'demo.tar.gz'), file)).toEqual(await linesOf(sample, file));
    execFileSync('tar', ['czf', path.join(folder, 'by-tar.tar.gz'), '-C', unpacked, '.']);
    expect(await linesOf(path.join(folder, 'by-tar.tar.gz'), 'tree.jsonl')).toHaveLength(16);
    expect((await readdir(folder)).filter((name) => name.startsWith('demo.tar'))).toEqual(['demo.tar.gz']);
  });

  it('of a type has its entries, their pages and the files that they link', async () => {
    const { folder, sample, run } = demo();
    await run('topics', '--type', 'author');
    const place = path.join(folder, 'topics');
    const entries = await linesOf(place, 'entries.jsonl');
    expect(new Set(entries.map(({ type }) => type))).toEqual(new Set(['author']));
    const linked = JSON.stringify(entries);
    const all = await linesOf(sample, 'assets.jsonl');
    const assets = await linesOf(place, 'assets.jsonl');
    expect(assets.map(({ id }) => id)).toEqual(all.flatMap(({ id }) => (linked.includes(id) ? [id] : [])));
    expect(assets.length).toBeLessThan(all.length);
    expect((await linesOf(place, 'tree.jsonl')).every(({ entryId }) => entryId === null)).toBe(true);
  });

  it('of a site and a locale has nothing of others', async () => {
    const { folder, run } = demo();
    await run('boats', '--site', 'boatyard', '--locale', 'en');
    const place = path.join(folder, 'boats');
    const settings = await linesOf(place, 'settings.jsonl');
    const [site, ...others] = settings.flatMap((line) => (line.kind === 'site' ? [line] : []));
    expect([site?.slug, others]).toEqual(['boatyard', []]);
    const entries = await linesOf(place, 'entries.jsonl');
    expect(entries.length).toBeGreaterThan(0);
    expect(
      entries.every(({ siteId, locales }) => siteId === site?.id && Object.keys(locales).join() === 'en'),
    ).toBe(true);
    expect((await linesOf(place, 'redirects.jsonl')).every(({ siteId }) => siteId === site?.id)).toBe(true);
  });

  it.each([
    [['--site', 'nowhere'], 'The project demo has no site nowhere.'],
    [['--locale', 'pt'], 'The project demo has no locale pt.'],
    [['--type', 'nothing'], 'content_type_not_found'],
  ])('of %j names what does not exist', async (options, expected) => {
    expect(await demo().run(`none-${options.join('-')}`, ...options)).toContain(expected);
  });

  it('by a caller who may not read a type says that its entries were left out', async () => {
    const { folder, client, host, run } = demo();
    const projectSlug = 'demo';
    const role = (await client.call('roles', 'create', { projectSlug, name: 'Reader' })).data;
    const site = (await client.call('sites', 'list', { projectSlug })).data[0]?.id ?? '';
    for (const resource of projectResources.filter((one) => one !== 'entries'))
      await client.call('roles', 'createGrant', { projectSlug, roleId: role.id, resource, action: 'read' });
    for (const scope of [
      { contentTypes: ['author', 'page'] },
      { contentTypes: ['article'], siteIds: [site] },
    ])
      await client.call('roles', 'createGrant', {
        projectSlug,
        roleId: role.id,
        resource: 'entries',
        action: 'read',
        scope,
      });
    const login = { email: 'reader@example.com', password: 'a password of the test' };
    await client.call('users', 'create', { projectSlug, ...login, name: 'Reader', roleIds: [role.id] });
    const session = await client.call('sessions', 'login', login);
    const key = 'accessToken' in session.data ? session.data.accessToken : '';
    const [counts, ...leftOut] = (await run('read', '--key', key, '--url', host.baseUrl))
      .trimEnd()
      .split('\n');
    expect(counts).toMatch(/^read: \d+ entries/);
    expect(leftOut.sort()).toEqual([
      ...['callout', 'panel', 'quote', 'topic'].map(
        (type) => `Entries of the type ${type} were left out: you may not read them.`,
      ),
      'Some entries of the type article were left out: you may not read all of them.',
    ]);
    const types = (await linesOf(path.join(folder, 'read'), 'entries.jsonl')).map(({ type }) => type);
    expect([...new Set(types)].sort()).toEqual(['article', 'author', 'page']);
    // Exports that are compared later have the roles of the demo.
    const { data: members } = await client.call('users', 'list', { projectSlug, q: 'reader@example.com' });
    for (const { id } of members) await client.call('users', 'remove', { projectSlug, id });
    await client.call('roles', 'delete', { projectSlug, id: role.id });
  });

  it('does not write into a folder that has files, or over an archive', async () => {
    const { folder, sample, run } = demo();
    expect(await run('sample')).toBe(`${sample} is not empty. Name another folder.`);
    await writeFile(path.join(folder, 'taken.tgz'), 'x');
    expect(await run('taken.tgz')).toBe(`${path.join(folder, 'taken.tgz')} exists. Name another file.`);
    expect(await readFile(path.join(folder, 'taken.tgz'), 'utf8')).toBe('x');
  });
});

describe('A comparison of exports', () => {
  const compare = (...places: readonly string[]): Promise<string> =>
    outputOf(async (print) => {
      const console = { directory: demo().folder, print, progress: silent };
      print(`exits with ${String(await runDiffCommand(places, console))}`);
    });

  it('finds nothing between an export and its archive', async () => {
    await demo().run('same.tgz');
    expect(await compare('sample', 'same.tgz')).toBe('No differences.\nexits with 0');
  });

  it('names what was added, removed and changed, and the values', async () => {
    const { client, sample, run } = demo();
    const of = { projectSlug: 'demo' } as const;
    const entries = await linesOf(sample, 'entries.jsonl');
    const winter = entries.find(({ locales }) => locales.en?.slug === 'a-winter-without-water');
    const { version } = (await client.call('entries', 'get', { ...of, id: winter?.id ?? '' })).data;
    const fields = { title: 'A dry winter' };
    await client.call('entries', 'update', { ...of, id: winter?.id ?? '', version, fields });
    const { data: redirects } = await client.call('redirects', 'list', of);
    const blog = redirects.find(({ source }) => source === '/blog');
    await client.call('redirects', 'delete', { ...of, id: blog?.id ?? '' });
    const siteId = winter?.siteId ?? '';
    const added = { ...of, siteId, source: '/dry', target: '/winter', status: 301 } as const;
    await client.call('redirects', 'create', added);
    await run('later');
    expect((await compare('sample', 'later')).split('\n').sort()).toEqual(
      [
        '+ redirect exact /dry of site main',
        '- redirect prefix /blog of site boatyard',
        '3 differences.',
        'exits with 2',
        '~ entry article a-winter-without-water: locales.en.fields.title',
      ].sort(),
    );
  });

  it.each([
    [['sample'], 'Name two exports.'],
    [['sample', 'sample', 'sample'], 'Name two exports.'],
    [['sample', 'absent'], 'cannot be read'],
  ])('of %j is refused', async (places, expected) => {
    expect(await compare(...places)).toContain(expected);
  });
});
