import { beforeAll, describe, expect, it } from '@jest/globals';
import { must } from '../support/call.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { createFolder, createLivePage, createPageType } from '../support/factories/tree.js';
import { useApp } from '../support/desk.js';

const app = useApp();
let project: TestProject;

beforeAll(async () => {
  project = await createProject(app());
  await createPageType(app(), project);
  const folder = await createFolder(app(), project, { slug: 'company' });
  await createLivePage(app(), project, { slug: 'about', treeParentId: folder.id });
  await must(app(), {
    method: 'POST',
    path: `${project.management}/tree/nodes`,
    key: project.keys.management,
    body: { siteId: null, type: 'link', name: 'Imprint', url: '/imprint' },
  });
});

async function ask(method: string, params: object) {
  const call = app()
    .request.post(`/api/mcp/${project.slug}`)
    .set('Authorization', `Bearer ${project.keys.management}`)
    .set('Accept', 'application/json, text/event-stream');
  const { text } = await call.send({ jsonrpc: '2.0', id: 1, method, params });
  const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '');
  return (JSON.parse(json) as { result: Record<string, never> }).result;
}

describe('MCP trees', () => {
  it("get_tree lists a site's nodes, each before its children", async () => {
    const { structuredContent } = (await ask('tools/call', {
      name: 'get_tree',
      arguments: { siteSlug: 'main' },
    })) as unknown as { structuredContent: { data: Record<string, unknown>[] } };
    expect(structuredContent.data.map(({ name, depth, path }) => [name, depth, path])).toEqual([
      ['company', 0, { en: '/company', de: '/company', fr: '/company' }],
      ['Page about', 1, { en: '/company/about', de: '/company/about', fr: '/company/about' }],
    ]);
    expect(structuredContent.data[0]).not.toHaveProperty('children');
  });

  it('service://tree contains the global tree and every site’s tree', async () => {
    const { contents } = (await ask('resources/read', { uri: 'service://tree' })) as unknown as {
      contents: { text: string }[];
    };
    const trees = JSON.parse(contents[0]?.text ?? '') as {
      global: { name: string; path: object }[];
      sites: Record<string, unknown[]>;
    };
    expect(trees.global).toMatchObject([{ name: 'Imprint', path: {} }]);
    expect(trees.sites).toEqual({ main: [expect.anything(), expect.anything()] });
  });
});
