import type { Response } from 'supertest';
import type { TestApp } from '../app.js';
import { must, send } from '../call.js';
import { createEntry, createType, publish, type TestEntry } from './content.js';
import type { TestProject } from './project.js';

export interface TestNode {
  readonly id: string;
  readonly siteId: string | null;
  readonly parentId: string | null;
  readonly entryId: string | null;
  readonly type: string;
  readonly name: string;
  readonly slug: string | null;
  readonly position: number;
  readonly depth: number;
  readonly path: Record<string, string>;
  readonly childCount: number;
  readonly version: number;
  readonly children?: TestNode[];
}

/** Creates the type `page`, whose entries can have tree nodes. */
export async function createPageType(app: TestApp, project: TestProject): Promise<void> {
  await createType(app, project, {
    apiName: 'page',
    isPage: true,
    fields: [{ apiName: 'title', type: 'text', required: true }],
  });
}

export function createPage(
  app: TestApp,
  project: TestProject,
  { slug, ...rest }: { slug: string; treeParentId?: string | null; locale?: string },
): Promise<TestEntry & { treeNodeId: string; treeParentId: string | null }> {
  const body = { contentTypeApiName: 'page', fields: { title: `Page ${slug}` }, slug, ...rest };
  return createEntry(app, project, body) as Promise<TestEntry & { treeNodeId: string; treeParentId: null }>;
}

export async function createLivePage(
  app: TestApp,
  project: TestProject,
  body: { slug: string; treeParentId?: string | null },
) {
  const page = await createPage(app, project, body);
  await publish(app, project, page.id);
  return page;
}

/** Calls a tree operation with the management key. */
export function onTree(
  app: TestApp,
  project: TestProject,
  call: { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; body?: unknown },
): Promise<Response> {
  return send(app, { ...call, path: `${project.management}/tree${call.path}`, key: project.keys.management });
}

export function createFolder(
  app: TestApp,
  project: TestProject,
  body: { slug: string; parentId?: string; position?: number },
): Promise<TestNode> {
  return must<TestNode>(app, {
    method: 'POST',
    path: `${project.management}/tree/nodes`,
    key: project.keys.management,
    body: { siteId: project.siteId, ...body },
  });
}

/** The site's nodes in tree order. */
export function flatTree(app: TestApp, project: TestProject): Promise<TestNode[]> {
  const path = `${project.management}/tree/main?flat=true`;
  return must<TestNode[]>(app, { method: 'GET', path, key: project.keys.management });
}
