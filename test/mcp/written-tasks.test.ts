import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { send } from '../support/call.js';
import { startBeside } from '../support/app.js';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createType, publish } from '../support/factories/content.js';
import { card, createLandingTypes, landing } from '../support/factories/landing-blocks.js';
import { png } from '../support/factories/media.js';
import { createFolder, createLivePage } from '../support/factories/tree.js';
import { file, Origin } from '../support/origin.js';
import { verifies } from '../support/verifies.js';
import { article } from '../management/entries/history.js';
import { editorial, newWorkflow } from '../management/workflows/definitions.js';
import { Agents, useTool } from './agents.js';

const app = useOwnApp();
const origin = new Origin();
let desk: Desk;
let agents: Agents;
let client: Client;

beforeAll(async () => {
  await origin.open();
  desk = await openDesk(app());
  await createLandingTypes(desk);
  await createType(app(), desk.project, {
    apiName: 'page',
    isPage: true,
    displayField: 'title',
    fields: [
      { apiName: 'title', type: 'text', required: true },
      { apiName: 'hero', type: 'media' },
      { apiName: 'sections', type: 'blocks', settings: { contentTypes: ['card'] } },
    ],
  });
  agents = new Agents(app(), desk.project);
  client = await agents.connect(desk.project.keys.management);
});

afterAll(async () => {
  await agents.close();
  origin.close();
});

type Values = Record<string, unknown>;

/**
 * A step of an agent, which knows only what earlier steps returned. Each must succeed: a refusal would be a dead end for an
 * agent that follows the tools' descriptions.
 */
async function step<T = Values>(name: string, args: Values, by = client): Promise<T> {
  const { isError, structuredContent } = await useTool(by, name, args);
  expect({ name, refusal: isError === true ? structuredContent : undefined }).toEqual({
    name,
    refusal: undefined,
  });
  return structuredContent.data as unknown as T;
}

interface ReadEntry {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly fields: Values;
  readonly workflow: { readonly state: string } | null;
}

interface ReadField {
  readonly apiName: string;
  readonly type: string;
  readonly localized: boolean;
  readonly required: boolean;
}

interface ReadType {
  readonly apiName: string;
  readonly isPage: boolean;
  readonly fields: readonly ReadField[];
}

const delivered = async (path: string): Promise<Values> => {
  const { body } = await send(app(), { method: 'GET', path: `${desk.project.delivery}${path}` });
  return body.data as Values;
};
const validate = async (id: string, locale: string): Promise<void> =>
  expect(await step('validate_entry', { id, locale })).toMatchObject({ issues: [] });

describe('An agent', () => {
  verifies('mcp/written-tasks');

  it('fixes a typo in a published article', async () => {
    const body = { markdown: 'The **locks** acommodate barges.\n\nThey close at night.' };
    const made = await article(desk, { title: 'Opening hours', body });
    await publish(app(), desk.project, made.id);
    await app().composition.jobs.indexSearch();

    const [found] = await step<{ id: string; locale: string }[]>('search_content', {
      query: 'acommodate',
      status: 'published',
    });
    const { id, locale } = found ?? { id: '', locale: '' };
    const { version, fields } = await step<ReadEntry>('get_entry', { id, locale });
    const field = Object.keys(fields).find((name) => JSON.stringify(fields[name]).includes('acommodate'));
    const change = { field, find: 'acommodate', replace: 'accommodate' };
    const edited = await step<ReadEntry>('edit_text', { id, version, locale, ...change });
    await validate(id, locale);
    await step('publish_entry', { id, locale, version: edited.version });

    const { fields: live } = (await delivered(`/entries/${id}?include=1`)) as { fields: { body: Values } };
    expect(live.body).toMatchObject({
      text: 'The locks accommodate barges.\n\nThey close at night.',
      html: expect.stringContaining('<strong>locks</strong>'),
    });
  });

  it('translates an article with blocks', async () => {
    const sections = [card('Locks', { tone: 'calm' }), card('Weirs', { cards: [card('Fish')] })];
    const made = await landing(desk, { title: 'The canal', sections });
    await publish(app(), desk.project, made.id);
    const german: Record<string, string> = {
      'The canal': 'Der Kanal',
      Locks: 'Schleusen',
      Weirs: 'Wehre',
      Fish: 'Fische',
    };

    const gaps = { locale: 'de', contentTypeApiName: ['landing'] };
    const [gap] = await step<{ entryId: string }[]>('list_translation_gaps', gaps);
    const id = gap?.entryId ?? '';
    const source = await step<ReadEntry>('get_entry', { id });
    /** The localized texts of values, and the blocks that have some. */
    const translated = async (typeName: string, values: Values): Promise<Values> => {
      const type = await step<ReadType>('get_content_type', { apiName: typeName });
      const result: Values = {};
      for (const { apiName, type: kind, localized } of type.fields) {
        const value = values[apiName];
        if (kind === 'text' && localized && typeof value === 'string') result[apiName] = german[value];
        if (kind !== 'blocks' || localized || !Array.isArray(value)) continue;
        const blocks: Values[] = [];
        for (const block of value as { _ref: string; _type: string; fields: Values }[])
          blocks.push({ _ref: block._ref, fields: await translated(block._type, block.fields) });
        result[apiName] = blocks;
      }
      return result;
    };
    const fields = await translated('landing', source.fields);
    const written = await step<ReadEntry>('update_entry', {
      id,
      version: source.version,
      locale: 'de',
      fields,
    });
    await validate(id, 'de');
    await step('publish_entry', { id, locale: 'de', version: written.version });
    expect(await step<unknown[]>('list_translation_gaps', gaps)).toEqual([]);

    const textsOf = async (locale: string) => {
      const live = await delivered(`/entries/${id}?locale=${locale}&blocks=all`);
      return JSON.stringify(live).match(/"(?:title|heading)":"[^"]+"/g);
    };
    expect(await textsOf('de')).toEqual([
      '"title":"Der Kanal"',
      '"heading":"Schleusen"',
      '"heading":"Wehre"',
      '"heading":"Fische"',
    ]);
    expect(await textsOf('en')).toEqual([
      '"title":"The canal"',
      '"heading":"Locks"',
      '"heading":"Weirs"',
      '"heading":"Fish"',
    ]);
  });

  it('builds a landing page with blocks and an image from a URL', async () => {
    const url = origin.serve('/barge.png', file(png()));

    const types = await step<ReadType[]>('list_content_types', {});
    const pageType = types.find(({ isPage }) => isPage)?.apiName;
    const { fields: definitions } = await step<ReadType>('get_content_type', { apiName: pageType });
    const named = (kind: string): string => definitions.find(({ type }) => type === kind)?.apiName ?? '';
    const [site] = await step<{ id: string; slug: string; defaultLocale: string }[]>('list_sites', {});
    const image = await step<{ id: string }>('upload_media_from_url', { url, altText: 'A barge in a lock' });
    const draft = {
      contentTypeApiName: pageType,
      siteId: site?.id,
      fields: {
        [named('text')]: 'Barges welcome',
        [named('media')]: { _ref: image.id, _type: 'MediaAsset' },
        [named('blocks')]: [card('Moorings'), card('Prices')],
      },
    };
    await step('create_entry', { ...draft, dryRun: true });
    const { id } = await step<ReadEntry>('create_entry', draft);
    const locale = site?.defaultLocale ?? '';
    await validate(id, locale);
    await step('publish_entry', { id, locale });
    const tree = await step<{ entryId: string; path: Record<string, string> }[]>('get_tree', {
      siteSlug: site?.slug,
    });
    const path = tree.find(({ entryId }) => entryId === id)?.path[locale];

    expect(path).toBe('/barges-welcome');
    const route = (await delivered(`/routes?path=${String(path)}&include=1`)) as {
      entry: { fields: Values };
    };
    expect(route.entry.fields).toMatchObject({ title: 'Barges welcome' });
    const live = (await delivered(`/entries/${id}?include=1`)) as { fields: Values };
    expect(live.fields).toMatchObject({
      hero: { altText: 'A barge in a lock', width: 3 },
      sections: [{ fields: { heading: 'Moorings' } }, { fields: { heading: 'Prices' } }],
    });
  });

  it('finds stale content and unpublishes it for a review', async () => {
    await newWorkflow(desk, editorial({ contentTypes: ['author'] }));
    const author = await desk.post('/entries', {
      contentTypeApiName: 'author',
      siteId: desk.project.siteId,
      fields: { name: 'Ann' },
    });
    const authorId = String(author.body.data.id);
    await publish(app(), desk.project, authorId);
    await article(desk, { title: 'By Ann', author: { _ref: authorId } });
    const later = await startBeside(app(), { clock: () => new Date(Date.now() + 181 * 86_400_000) });
    await later.composition.jobs.assessHealth();
    const inFuture = new Agents(later, desk.project);
    const reviewer = await inFuture.connect(desk.project.keys.management);

    const health = await step<{ rows: { entryId: string; issues: { code: string; locale?: string }[] }[] }>(
      'content_health',
      { contentTypeApiName: ['author'] },
      reviewer,
    );
    const row = health.rows.find(({ issues }) => issues.some(({ code }) => code === 'stale_content'));
    const id = row?.entryId ?? '';
    const locale = row?.issues.find(({ code }) => code === 'stale_content')?.locale;
    const references = await step<unknown[]>('find_references', { id }, reviewer);
    expect(references).toHaveLength(1);
    await step('unpublish_entry', { id, locale }, reviewer);
    await step('transition_workflow', { id, to: 'review', comment: 'Is this still right?' }, reviewer);
    const after = await step<ReadEntry>('get_entry', { id }, reviewer);

    expect([id, after.status, after.workflow?.state]).toEqual([authorId, 'draft', 'review']);
    expect(await delivered(`/entries/${id}`)).toBeUndefined();
    await inFuture.close();
    await later.close();
  });

  it('restructures a part of the tree with redirects', async () => {
    const { project } = desk;
    const products = await createFolder(app(), project, { slug: 'products' });
    const pages = [
      await createLivePage(app(), project, { slug: 'locks', treeParentId: products.id }),
      await createLivePage(app(), project, { slug: 'weirs', treeParentId: products.id }),
    ];

    const siteSlug = 'main';
    type Node = { id: string; entryId: string | null; parentId: string | null; slug: string; type: string };
    const tree = await step<Node[]>('get_tree', { siteSlug });
    const old = tree.find(({ slug, type }) => slug === 'products' && type === 'folder');
    const folder = { siteSlug, type: 'folder', name: 'Catalogue', slug: 'catalogue' };
    const { id: parentId } = await step<Node>('create_node', folder);
    for (const { entryId } of tree.filter((node) => node.parentId === old?.id))
      await step('move_node', { entryId, parentId });
    await step('delete_node', { nodeId: old?.id });
    const redirect = { source: '/products', target: '/catalogue/locks', status: 301 };
    await step('create_redirect', { siteSlug, ...redirect });
    const redirects = await step<{ source: string; target: string }[]>('list_redirects', {
      query: '/products',
    });

    expect(redirects.map(({ source, target }) => [source, target]).sort()).toEqual([
      ['/products', '/catalogue/locks'],
      ['/products/locks', '/catalogue/locks'],
      ['/products/weirs', '/catalogue/weirs'],
    ]);
    for (const { id, slug } of pages) {
      expect(await delivered(`/routes?path=/catalogue/${slug}`)).toMatchObject({ entry: { _id: id } });
      expect(await delivered(`/routes?path=/products/${slug}`)).toMatchObject({
        target: `/catalogue/${slug}`,
      });
    }
  });
});
