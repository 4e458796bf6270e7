import { expect, test } from '@jest/globals';
import { systemScope } from '../../../src/persistence/work/unit-of-work.js';
import { DocumentCheckRepository } from '../../../src/features/publishing/delivery/index.js';
import { LinkCheckRepository, MarkCheckRepository } from '../../../src/features/entries/entries/index.js';
import { CatalogRepository } from '../../../src/features/environments/catalog/index.js';
import { RouteCheckRepository } from '../../../src/features/routing/tree/index.js';
import { must, send } from '../../support/call.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { publish } from '../../support/factories/content.js';
import {
  createFolder,
  createLivePage,
  createPageType,
  flatTree,
  onTree,
  type TestNode,
} from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';
import { fc } from '../../support/properties.js';
import { useApp } from '../../support/desk.js';
import { sampled } from '../../support/extent.js';

verifies('routing/tree-paths');

const app = useApp();

/** Differences between the read model and a full computation. */
async function differences(project: TestProject) {
  const [head] = await app().rows<{ environment_id: string }>(
    project.tenantId,
    'SELECT environment_id FROM environment_heads WHERE project_slug = $1',
    [project.slug],
  );
  const scope = {
    ...systemScope({ command: 'test' }),
    tenantId: project.tenantId,
    projectId: project.projectId,
    projectSlug: project.slug,
    environmentId: head?.environment_id ?? null,
    isPlatform: false,
  };
  return app().composition.services.units.run({ scope, isReadOnly: true, lock: 'none' }, async (work) => {
    const catalog = await work.use(CatalogRepository).current();
    const documents = await work.use(DocumentCheckRepository).check(catalog, 10);
    return [
      ...(await work.use(RouteCheckRepository).differences(10)),
      ...documents.differences,
      ...(await work.use(LinkCheckRepository).differences(catalog, 10)),
      ...(await work.use(MarkCheckRepository).differences(10)),
    ];
  });
}

const slugs = ['a', 'b', 'c', 'a-2', 'über'];
const pick = fc.nat({ max: 7 });
const slug = fc.constantFrom(...slugs);
const locale = fc.constantFrom('en', 'de', 'fr');
const step = fc.oneof(
  fc.record({ kind: fc.constant('folder' as const), at: pick, slug }),
  fc.record({ kind: fc.constant('page' as const), at: pick, slug, locale }),
  fc.record({ kind: fc.constant('move' as const), node: pick, at: pick, position: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant('rename' as const), node: pick, slug }),
  fc.record({ kind: fc.constant('write' as const), node: pick, at: pick, slug, locale }),
  fc.record({ kind: fc.constant('publish' as const), node: pick, locale }),
  fc.record({ kind: fc.constant('unpublish' as const), node: pick, locale }),
  fc.record({
    kind: fc.constant('remove' as const),
    node: pick,
    children: fc.constantFrom('delete', 'lift'),
  }),
  fc.record({ kind: fc.constant('delete' as const), node: pick }),
  fc.record({ kind: fc.constant('undelete' as const) }),
  fc.record({
    kind: fc.constant('restore' as const),
    node: pick,
    versionNum: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: fc.constantFrom('renameType' as const, 'renameField' as const) }),
  fc.record({ kind: fc.constant('home' as const), node: pick }),
  fc.record({ kind: fc.constant('site' as const), defaultLocale: locale }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const other = (name: string): string =>
  ({ page: 'sheet', sheet: 'page', note: 'remark', remark: 'note' })[name] ?? name;

/** Current names of the page type and its notes field. */
async function names(project: TestProject): Promise<{ type: string; note: string }> {
  const path = `${project.management}/content-types`;
  const { body } = await send(app(), { method: 'GET', path, key: project.keys.management });
  const [type] = body.data as [{ apiName: string; fields: { apiName: string }[] }];
  const note = type.fields.find(({ apiName }) => ['note', 'remark'].includes(apiName));
  return { type: type.apiName, note: note?.apiName ?? '' };
}

/** Runs one random step, which may be rejected but must not cause a 5xx. */
async function play(project: TestProject, given: Step): Promise<void> {
  const nodes = await flatTree(app(), project);
  const at = (index: number): TestNode | undefined => nodes[index % Math.max(1, nodes.length + 1)];
  const call = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    send(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });
  const node = 'node' in given ? at(given.node) : undefined;
  const parentId = 'at' in given ? (at(given.at)?.id ?? null) : null;
  const { siteId } = project;
  const { type, note } = await names(project);
  const get = (path: string) =>
    send(app(), { method: 'GET', path: `${project.management}${path}`, key: project.keys.management });
  const onEntry = async (verb: string, body: object) => {
    if (node !== undefined && node.entryId !== null)
      return call('POST', `/entries/${node.entryId}/${verb}`, body);
  };
  const act = async () => {
    switch (given.kind) {
      case 'folder':
        return onTree(app(), project, {
          method: 'POST',
          path: '/nodes',
          body: { siteId, parentId, slug: given.slug },
        });
      case 'page': {
        const fields = { title: given.slug };
        const entry = { contentTypeApiName: type, siteId, fields, slug: given.slug, locale: given.locale };
        return call('POST', '/entries', { ...entry, treeParentId: parentId });
      }
      case 'move':
        if (node === undefined) return undefined;
        return call('POST', `/tree/nodes/${node.id}/move`, { parentId, position: given.position });
      case 'rename':
        if (node?.type !== 'folder') return undefined;
        return call('PUT', `/tree/nodes/${node.id}`, { slug: given.slug });
      case 'write': {
        if (node === undefined || node.entryId === null) return undefined;
        const { body } = await get(`/entries/${node.entryId}`);
        const target = at(given.at)?.entryId ?? null;
        const related = target === null ? [] : [{ _ref: target, _type: type }];
        const change = {
          version: body.data.version,
          locale: given.locale,
          slug: given.slug,
          fields: { title: given.slug, [note]: given.slug, related },
        };
        return call('PUT', `/entries/${node.entryId}`, change);
      }
      case 'publish':
        return onEntry('publish', { locale: given.locale });
      case 'unpublish':
        return onEntry('unpublish', { locale: given.locale });
      case 'remove':
        return node && call('DELETE', `/tree/nodes/${node.id}?children=${given.children}`);
      case 'delete':
        return node === undefined || node.entryId === null
          ? undefined
          : call('DELETE', `/entries/${node.entryId}`);
      case 'undelete': {
        const { body } = await get('/entries?deleted=true');
        const [gone] = body.data as { id: string }[];
        return gone && call('POST', `/entries/${gone.id}/undelete`, {});
      }
      case 'restore':
        return onEntry('restore', { versionNum: given.versionNum });
      case 'renameType':
        return call('POST', `/content-types/${type}/rename`, { apiName: other(type) });
      case 'renameField':
        return call('POST', `/content-types/${type}/fields/${note}/rename`, { apiName: other(note) });
      case 'home':
        return call('PUT', '/sites/main', { homeEntryId: node?.entryId ?? null });
      case 'site':
        return call('PUT', '/sites/main', { defaultLocale: given.defaultLocale });
    }
  };
  const answer = await act();
  if (answer !== undefined && answer.status >= 500)
    throw new Error(`${JSON.stringify(given)}: ${answer.text}`);
}

/** A folder with a published page and, below it, one in two locales. */
async function plantTree(project: TestProject): Promise<void> {
  await createPageType(app(), project);
  for (const field of [
    { apiName: 'note', type: 'text', localized: false },
    { apiName: 'related', type: 'reference', isList: true, settings: { contentTypes: ['page'] } },
  ])
    await must(app(), {
      method: 'POST',
      path: `${project.management}/content-types/page/fields`,
      key: project.keys.management,
      body: field,
    });
  const folder = await createFolder(app(), project, { slug: 'a' });
  const page = await createLivePage(app(), project, { slug: 'b', treeParentId: folder.id });
  const child = await createLivePage(app(), project, { slug: 'c', treeParentId: page.treeNodeId });
  const path = `${project.management}/entries/${child.id}`;
  const body = { version: 1, locale: 'de', slug: 'd', fields: { title: 'D' } };
  await send(app(), { method: 'PUT', path, key: project.keys.management, body });
  await publish(app(), project, child.id, 'de');
}

/** With one chain of two fallbacks, or with none. */
const chains = fc.constantFrom(['en', 'de', 'fr'], ['en', 'de', { code: 'fr', fallbackCode: 'de' }]);

test('keeps routes, documents, links and counters equal to a full computation after any sequence of operations', async () => {
  await fc.assert(
    fc.asyncProperty(chains, fc.array(step, { minLength: 10, maxLength: 30 }), async (locales, steps) => {
      const project = await createProject(app(), { locales });
      await plantTree(project);
      for (const one of steps) await play(project, one);
      expect(await differences(project)).toEqual([]);
      const nodes = await flatTree(app(), project);
      for (const siblings of Map.groupBy(nodes, ({ parentId }) => parentId).values())
        expect(siblings.map(({ position }) => position)).toEqual(siblings.map((_, index) => index));
    }),
    { numRuns: sampled(4, 12), endOnFailure: true },
  );
}, 240_000);
