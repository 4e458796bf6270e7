import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { send } from '../support/call.js';
import { branchOf } from '../support/factories/branch.js';
import { createArticleTypes, createEntry } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { Agents, useTool } from './agents.js';
import { useApp } from '../support/desk.js';

const app = useApp();
let project: TestProject;
let agents: Agents;
let client: Client;

/** Every row that a write would leave behind. */
async function traces(): Promise<unknown> {
  const tables = ['entries', 'entry_locales', 'entry_versions', 'audit_events', 'outbox_events', 'routes'];
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  return app().rows(project.tenantId, `SELECT ${counts.join(', ')}`, []);
}

const newDraft = (fields: Record<string, unknown> = { title: 'Lock' }) =>
  createEntry(app(), project, { contentTypeApiName: 'article', fields });

beforeAll(async () => {
  project = await createProject(app());
  agents = new Agents(app(), project);
  await createArticleTypes(app(), project);
  client = await agents.connect(project.keys.management);
});

afterAll(async () => {
  await agents.close();
});

describe('A tool call with dryRun', () => {
  verifies('mcp/dry-run');

  it('returns the changes of each writing tool and stores nothing', async () => {
    const { id } = await newDraft();
    const { siteId } = project;
    const before = await traces();
    const calls: [string, Record<string, unknown>, string][] = [
      ['create_entry', { contentTypeApiName: 'article', siteId, fields: { title: 'New' } }, 'entry.create'],
      ['update_entry', { id, version: 1, fields: { title: 'Changed' } }, 'entry.update'],
      ['publish_entry', { id }, 'entry.publish'],
      ['delete_entry', { id }, 'entry.delete'],
    ];
    for (const [name, args, action] of calls) {
      const { structuredContent, isError } = await useTool(client, name, { ...args, dryRun: true });
      expect([name, isError]).toEqual([name, undefined]);
      expect(structuredContent.dryRun).toBe(true);
      expect(structuredContent.changes?.map((change) => change.action)).toEqual([action]);
    }
    expect(await traces()).toEqual(before);
    expect((await useTool(client, 'get_entry', { id })).structuredContent.data).toMatchObject({
      version: 1,
      status: 'draft',
      fields: { title: 'Lock' },
    });
  });

  it('returns values before and after', async () => {
    const { id } = await newDraft();
    const args = { id, version: 1, fields: { title: 'Gate' }, dryRun: true };
    const { structuredContent } = await useTool(client, 'update_entry', args);
    expect(structuredContent.data).toMatchObject({ id, version: 2, fields: { title: 'Gate' } });
    expect(structuredContent.changes?.[0]).toMatchObject({
      target: { type: 'entry', id },
      before: { fields: { title: 'Lock' } },
      after: { fields: { title: 'Gate' } },
    });
  });

  it('fails as the real call would', async () => {
    const { id } = await newDraft({});
    const publish = await useTool(client, 'publish_entry', { id, dryRun: true });
    expect(publish.structuredContent.error).toBe('entry_invalid');
    const stale = await useTool(client, 'update_entry', { id, version: 9, fields: {}, dryRun: true });
    expect(stale.structuredContent.error).toBe('version_conflict');
  });

  it('needs the permission of the real call', async () => {
    const reader = await agents.connect(await agents.newKey({ type: 'management', permissions: ['read'] }));
    const { id } = await newDraft();
    const { structuredContent } = await useTool(reader, 'publish_entry', { id, dryRun: true });
    expect(structuredContent.error).toBe('api_key_permission_denied');
  });
});

describe('A key that requires confirmation', () => {
  verifies('access/confirmation-token');

  let careful: Client;

  beforeAll(async () => {
    careful = await agents.connect(
      await agents.newKey({ type: 'management', permissions: [], requireConfirmation: true }),
    );
  });

  const statusOf = async (id: string) =>
    (await send(app(), { method: 'GET', path: `${project.delivery}/entries/${id}` })).status;

  it('publishes only with the confirmToken of the first result', async () => {
    const { id } = await newDraft();
    const first = await useTool(careful, 'publish_entry', { id });
    expect(first.isError).toBe(true);
    expect(first.structuredContent.error).toBe('confirmation_required');
    const { confirmToken, expiresAt, preview } = first.structuredContent.details ?? {};
    expect(preview).toMatchObject({ data: { id, status: 'published' }, dryRun: true });
    expect(Date.parse(String(expiresAt)) - Date.now()).toBeLessThanOrEqual(300_000);
    expect(await statusOf(id)).toBe(404);
    const second = await useTool(careful, 'publish_entry', { id, confirmToken });
    expect(second.structuredContent.data).toMatchObject({ id, status: 'published' });
    expect(await statusOf(id)).toBe(200);
  });

  it('writes drafts without confirmation', async () => {
    const { id } = await newDraft();
    const reply = await useTool(careful, 'update_entry', { id, version: 1, fields: { title: 'Sluice' } });
    expect(reply.structuredContent.data).toMatchObject({ version: 2 });
  });

  it('needs a new token for another entry, argument, tool or version', async () => {
    const { id } = await newDraft();
    const other = await newDraft();
    const first = await useTool(careful, 'publish_entry', { id });
    const { confirmToken } = first.structuredContent.details ?? {};
    const elsewhere: [string, Record<string, unknown>][] = [
      ['publish_entry', { id: other.id, confirmToken }],
      ['publish_entry', { id, withDependencies: true, confirmToken }],
      ['delete_entry', { id, confirmToken }],
      ['publish_entry', { id, confirmToken: `${String(confirmToken)}x` }],
    ];
    for (const [name, args] of elsewhere) {
      expect((await useTool(careful, name, args)).structuredContent.error).toBe('confirmation_required');
    }
    await useTool(careful, 'update_entry', { id, version: 1, fields: { title: 'Later' } });
    const late = await useTool(careful, 'publish_entry', { id, confirmToken });
    expect(late.structuredContent.error).toBe('version_conflict');
    expect(await statusOf(id)).toBe(404);
  });

  it("cannot use another key's token", async () => {
    const { id } = await newDraft();
    const another = await agents.connect(
      await agents.newKey({ type: 'management', permissions: [], requireConfirmation: true }),
    );
    const { confirmToken } = (await useTool(another, 'delete_entry', { id })).structuredContent.details ?? {};
    const reply = await useTool(careful, 'delete_entry', { id, confirmToken });
    expect(reply.structuredContent.error).toBe('confirmation_required');
    expect((await useTool(another, 'delete_entry', { id, confirmToken })).structuredContent.data).toEqual({
      id,
      deleted: true,
    });
  });

  it('receives errors before a confirmation is required', async () => {
    const { id } = await newDraft({});
    expect((await useTool(careful, 'publish_entry', { id })).structuredContent.error).toBe('entry_invalid');
  });
});

describe('An agent that checks before it writes', () => {
  verifies('mcp/tools-for-editing');

  it('validates a draft without changing it', async () => {
    const { id } = await newDraft({});
    const before = await traces();
    const incomplete = await useTool(client, 'validate_entry', { id });
    expect(incomplete.structuredContent.data).toMatchObject({
      id,
      isPublishable: false,
      issues: [{ path: ['fields', 'title'], code: 'required' }],
    });
    expect(await traces()).toEqual(before);
    await useTool(client, 'update_entry', { id, version: 1, fields: { title: 'Whole' } });
    const whole = await useTool(client, 'validate_entry', { id, locale: 'en' });
    expect(whole.structuredContent.data).toEqual({
      id,
      locale: 'en',
      version: 2,
      isPublishable: true,
      issues: [],
      warnings: [],
    });
  });

  it('lists and compares versions, finds references and gets a preview link', async () => {
    const author = await createEntry(app(), project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const { id } = await newDraft({ title: 'One', author: { _ref: author.id } });
    await useTool(client, 'update_entry', { id, version: 1, fields: { title: 'Two' } });
    const versions = await useTool(client, 'list_versions', { id });
    expect(versions.structuredContent.data?.map(({ versionNum }) => versionNum)).toEqual([2, 1]);
    const diff = await useTool(client, 'diff_versions', { id, from: 1 });
    expect(JSON.stringify(diff.structuredContent.data)).toContain('"Two"');
    const found = await useTool(client, 'find_references', { id: author.id });
    expect(found.structuredContent.data?.map(({ entryId }) => entryId)).toEqual([id]);
    const link = await useTool(client, 'get_preview_link', { id });
    const { url } = link.structuredContent.data as unknown as { url: string };
    const { pathname, search } = new URL(url, app().baseUrl);
    const seen = await send(app(), { method: 'GET', path: `${pathname}${search}` });
    expect(seen.body.data.fields.title).toBe('Two');
  });
});

describe('An agent beside a branch', () => {
  verifies('environments/protection');

  it('lists and compares environments, and confirms deletions in a protected one', async () => {
    const { id } = await newDraft({ title: 'Before' });
    const branch = await branchOf(app(), project);
    const { environment: slug } = branch;
    const inBranch = await agents.connect(branch.keys.management);
    await useTool(inBranch, 'update_entry', { id, version: 1, fields: { title: 'After' } });
    const listed = await useTool(client, 'list_environments');
    const slugs = listed.structuredContent.data?.map((one) => one.slug);
    expect(slugs).toEqual(expect.arrayContaining(['main', slug]));
    const compared = await useTool(client, 'diff_environments', { slug, kind: ['entry'] });
    expect(compared.structuredContent.data).toEqual([
      expect.objectContaining({
        kind: 'entry',
        id,
        change: 'updated',
        values: [expect.objectContaining({ field: 'title', base: 'Before', source: 'After' })],
      }),
    ]);
    const { management, keys } = project;
    const path = `${management}/environments/${slug}`;
    await send(app(), { method: 'PUT', path, key: keys.management, body: { isProtected: true } });
    const asked = await useTool(inBranch, 'delete_entry', { id });
    expect(asked.structuredContent.error).toBe('confirmation_required');
    const confirmToken = asked.structuredContent.details?.confirmToken;
    const deleted = await useTool(inBranch, 'delete_entry', { id, confirmToken });
    expect(deleted.structuredContent.data).toEqual({ id, deleted: true });
  });
});
