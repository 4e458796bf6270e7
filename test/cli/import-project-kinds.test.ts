import { describe, expect, it } from '@jest/globals';
import { RestOperations } from '../../src/cli/client/rest-operations.js';
import { runExportCommand } from '../../src/cli/export/export-command.js';
import { runProjectImport } from '../../src/cli/export/import-project.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { useOwnApp } from '../support/desk.js';
import { linesOf, outputOf, silent } from '../support/demo-export.js';
import { createProject, superAdmin } from '../support/factories/project.js';
import { uploadAsset } from '../support/factories/media.js';

const app = useOwnApp();

describe('An import of a project with everything that an export has', () => {
  it('keeps cycles, external ids, trees, private files, schedules, views, settings of search and webhooks', async () => {
    const key = await superAdmin(app());
    const client = new RestOperations(app().baseUrl, key);
    const [from, to] = [await createProject(app()), await createProject(app())];
    const of = { projectSlug: from.slug };
    const page = { apiName: 'page', name: 'Page', isPage: true };
    const fields = [
      { apiName: 'title', type: 'text', name: 'Title' },
      { apiName: 'next', type: 'reference', name: 'Next' },
      { apiName: 'body', type: 'richText', name: 'Body' },
      { apiName: 'picture', type: 'media', name: 'Picture' },
    ] as const;
    await client.call('contentTypes', 'create', { ...of, ...page, fields: [...fields] });
    const siteId = from.siteId;
    const { data: folder } = await client.call('mediaFolders', 'create', { ...of, name: 'River' });
    const { id: assetId } = await uploadAsset(app(), from);
    await client.call('media', 'update', {
      ...of,
      id: assetId,
      folderId: folder.id,
      visibility: 'private',
      focalPoint: { x: 0.25, y: 0.5 },
    });
    const made: string[] = [];
    const { data: group } = await client.call('tree', 'createNode', {
      ...of,
      siteId,
      type: 'folder',
      name: 'Group',
      slug: 'group',
    });
    for (const externalId of ['a, b', 'c"d', 'e'])
      made.push(
        (
          await client.call('entries', 'create', {
            ...of,
            contentTypeApiName: 'page',
            siteId,
            externalId,
            slug: `s${String(made.length)}`,
            treeParentId: made.length === 2 ? group.id : null,
            fields: {},
          })
        ).data.id,
      );
    for (const [index, id] of made.entries()) {
      const next = made[(index + 1) % 3] ?? '';
      const link = { type: 'text', text: 'there', marks: [{ type: 'link', attrs: { entryId: next } }] };
      const body = { type: 'doc', content: [{ type: 'paragraph', content: [link] }] };
      const values = { title: `T${String(index)}`, next: { _ref: next }, body, picture: { _ref: assetId } };
      await client.call('entries', 'update', { ...of, id, version: 1, fields: values });
      if (index < 2) await client.call('entries', 'publish', { ...of, id });
      else
        await client.call('entries', 'publish', {
          ...of,
          id,
          scheduledAt: '2030-01-01T00:00:00Z',
          timezone: 'Europe/Berlin',
        });
    }
    await client.call('tree', 'createNode', {
      ...of,
      siteId,
      type: 'link',
      name: 'Shop',
      url: 'https://example.com/shop',
      position: 0,
      hideInMenu: true,
    });
    await client.call('redirects', 'create', {
      ...of,
      siteId,
      source: '/gone',
      status: 410,
      note: '=note, "quoted"',
    });
    await client.call('redirects', 'create', {
      ...of,
      siteId,
      source: '/old/(.*)',
      target: '/$1',
      matchType: 'regex',
      queryMatch: 'pass',
    });
    await client.call('views', 'create', {
      ...of,
      name: 'Mine',
      resource: 'entries',
      filters: { siteId: [siteId] },
      visibility: 'shared',
    });
    await client.call('search', 'setSettings', { ...of, boosts: { types: { page: 2 }, fields: {} } });
    const headers = [
      { name: 'X-Open', value: 'a' },
      { name: 'X-Secret', value: 'hidden-value-of-a-header', secret: true },
    ];
    await client.call('webhooks', 'create', {
      ...of,
      name: 'Hook',
      url: 'https://hooks.example.com/x',
      events: ['entry.*'],
      filters: { siteIds: [siteId] },
      headers,
    });
    const directory = await mkdtemp(path.join(tmpdir(), 'headwater-kinds-'));
    const service = ['--url', app().baseUrl, '--key', key];
    const write = (slug: string, out: string) =>
      outputOf((print) =>
        runExportCommand([...service, '--project', slug, '--out', out, '--history'], {
          directory,
          print,
          progress: silent,
        }),
      );
    expect(await write(from.slug, 'one.tar.gz')).toContain('3 entries, 1 assets, 5 tree nodes, 2 redirects');
    const read = () =>
      outputOf((print) =>
        runProjectImport(['one.tar.gz', ...service, '--into', to.slug], {
          directory,
          print,
          progress: silent,
        }),
      );
    const first = await read();
    expect(first).toMatch(/^entry +3 +0 +0 +0 +1$/m);
    expect(first).toMatch(/^version +[1-9]\d* +0 +0 +0 +0$/m);
    expect(await read()).toMatch(/^entry +0 +0 +3 +0 +1$/m);
    await write(to.slug, 'two');
    const [one, two] = [path.join(directory, 'one.tar.gz'), path.join(directory, 'two')];
    const entries = { was: await linesOf(one, 'entries.jsonl'), is: await linesOf(two, 'entries.jsonl') };
    const ids = new Map([...entries.was, ...entries.is].map(({ id, externalId }) => [id, externalId ?? '']));
    const assets = { was: await linesOf(one, 'assets.jsonl'), is: await linesOf(two, 'assets.jsonl') };
    for (const { id } of [...assets.was, ...assets.is]) ids.set(id, 'asset');
    ids.set(from.siteId, 'site').set(to.siteId, 'site');
    const nodes = { was: await linesOf(one, 'tree.jsonl'), is: await linesOf(two, 'tree.jsonl') };
    for (const lines of Object.values(nodes))
      for (const [at, { id }] of lines.entries()) ids.set(id, `node ${String(at)}`);
    const settings = { was: await linesOf(one, 'settings.jsonl'), is: await linesOf(two, 'settings.jsonl') };
    for (const lines of Object.values(settings))
      for (const line of lines) if (line.kind === 'folder') ids.set(line.id, 'folder');
    const named = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) =>
          (ids.get(id) ?? id).replaceAll('"', "'"),
        ),
      );
    expect(named(entries.is)).toEqual(named(entries.was));
    expect(named(nodes.is)).toEqual(named(nodes.was));
    expect(named(await linesOf(two, 'redirects.jsonl'))).toEqual(
      named(await linesOf(one, 'redirects.jsonl')),
    );
    expect(named(assets.is.map(({ externalId: _e, ...rest }) => rest))).toEqual(
      named(assets.was.map(({ externalId: _e, ...rest }) => rest)),
    );
    const others = (lines: typeof settings.was) =>
      lines.filter(({ kind }) => ['view', 'search', 'folder', 'schema'].includes(kind));
    expect(named(others(settings.is))).toEqual(named(others(settings.was)));
    expect(named(settings.is.filter(({ kind }) => kind === 'webhook'))).toEqual([
      {
        kind: 'webhook',
        webhook: expect.objectContaining({
          name: 'Hook',
          enabled: false,
          filters: expect.objectContaining({ siteIds: ['site'] }),
          headers: [{ name: 'X-Open', value: 'a', secret: false }],
        }),
      },
    ]);
    await rm(directory, { recursive: true });
  }, 120_000);
});

describe('An import of entries without a place', () => {
  it('writes those once whose links are there, and each published version with its own shared values', async () => {
    const key = await superAdmin(app());
    const client = new RestOperations(app().baseUrl, key);
    const [from, to] = [
      await createProject(app(), { locales: ['en', 'de'] }),
      await createProject(app(), { locales: ['en', 'de'] }),
    ];
    const of = { projectSlug: from.slug };
    await client.call('contentTypes', 'create', {
      ...of,
      apiName: 'note',
      name: 'Note',
      fields: [
        { apiName: 'title', type: 'text', name: 'Title' },
        { apiName: 'place', type: 'text', name: 'Place', localized: false },
        { apiName: 'next', type: 'reference', name: 'Next' },
      ],
    });
    const make = async (externalId: string, values: object): Promise<string> => {
      const fields = { title: externalId, ...values };
      const body = { ...of, contentTypeApiName: 'note', siteId: from.siteId, externalId, fields };
      return (await client.call('entries', 'create', body)).data.id;
    };
    const save = async (id: string, locale: string, fields: object): Promise<void> => {
      const { version } = (await client.call('entries', 'get', { ...of, id, locale })).data;
      await client.call('entries', 'update', { ...of, id, locale, version, fields: { ...fields } });
    };
    const publish = (id: string, locale: string) => client.call('entries', 'publish', { ...of, id, locale });

    const alone = await make('alone', {});
    for (let filler = 0; filler < 50; filler += 1) await make(`filler ${String(filler)}`, {});
    const linked = await make('linked', { next: { _ref: alone } });
    const early = await make('early', {});
    await save(early, 'en', { next: { _ref: await make('late', {}) } });
    for (const id of [alone, linked]) await publish(id, 'en');

    const moved = await make('moved', { place: 'North' });
    await publish(moved, 'en');
    await save(moved, 'de', { title: 'verlegt', place: null });
    await publish(moved, 'de');
    for (const locale of ['en', 'de'])
      await save(moved, locale, { title: `${locale} draft`, place: 'South' });

    const directory = await mkdtemp(path.join(tmpdir(), 'headwater-kinds-'));
    const service = ['--url', app().baseUrl, '--key', key];
    const where = (print: (text: string) => void) => ({ directory, print, progress: silent });
    const write = (slug: string, out: string) =>
      outputOf((print) => runExportCommand([...service, '--project', slug, '--out', out], where(print)));
    await write(from.slug, 'one');
    await outputOf((print) => runProjectImport(['one', ...service, '--into', to.slug], where(print)));
    await write(to.slug, 'two');
    const [was, is] = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const lines = await linesOf(path.join(directory, name), 'entries.jsonl');
        return new Map(lines.map((line) => [line.externalId ?? '', line]));
      }),
    );
    const published = (lines: typeof was) =>
      ['en', 'de'].map((locale) => lines?.get('moved')?.locales[locale]?.published?.fields);
    expect(published(was)).toEqual([{ title: 'moved', place: 'North' }, { title: 'verlegt' }]);
    expect(published(is)).toEqual(published(was));
    const versions = ['alone', 'linked', 'filler 3', 'early'].map((name) => is?.get(name)?.version);
    expect(versions).toEqual([1, 1, 1, 2]);
    await rm(directory, { recursive: true });
  });
});
