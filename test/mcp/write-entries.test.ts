import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { BatchOutcome } from '../../contracts/entries/entries/batch.js';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { verifies } from '../support/verifies.js';
import { Agents, useTool, type Reply } from './agents.js';

const app = useApp();
let desk: Desk;
let agents: Agents;
let client: Client;

beforeAll(async () => {
  desk = await openDesk(app());
  agents = new Agents(app(), desk.project);
  client = await agents.connect(desk.project.keys.management);
});

afterAll(() => agents.close());

const creation = (title: unknown, more: object = {}) => ({
  action: 'create',
  contentTypeApiName: 'article',
  siteId: desk.project.siteId,
  fields: { title },
  ...more,
});

const outcomesOf = ({ structuredContent }: Reply) =>
  (structuredContent.data as unknown as { results: BatchOutcome[] }).results;

describe('The tool write_entries', () => {
  verifies('entries/batch');

  it('applies changes of all kinds and returns an outcome for each', async () => {
    const items = [creation('One', { publish: true }), creation(3), creation('Two')];
    const [one, wrong, two] = outcomesOf(await useTool(client, 'write_entries', { items }));
    expect([one, wrong, two]).toMatchObject([
      { ok: true, status: 'published', created: true },
      { ok: false, error: 'validation_failed', details: { issues: [{ path: ['fields', 'title'] }] } },
      { ok: true, status: 'draft' },
    ]);
    const next = [
      { action: 'update', id: two?.entryId, fields: { title: 'Second' } },
      { action: 'publish', id: two?.entryId },
      { action: 'unpublish', id: one?.entryId },
    ];
    const outcomes = outcomesOf(await useTool(client, 'write_entries', { items: next }));
    expect(outcomes.map(({ status }) => status)).toEqual(['draft', 'published', 'draft']);
  });

  it('returns the issues of items that are malformed, and applies nothing', async () => {
    const items = [creation('Good'), { action: 'burn', id: 'x' }];
    const { isError, structuredContent } = await useTool(client, 'write_entries', { items });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ error: 'validation_failed' });
    expect(structuredContent.details?.issues[0]?.path.slice(0, 2)).toEqual(['items', 1]);
    const many = { items: Array.from({ length: 101 }, () => creation('Many')) };
    expect((await useTool(client, 'write_entries', many)).structuredContent.error).toBe('validation_failed');
  });

  it('applies all changes or none with atomic, and none with dryRun', async () => {
    const items = [creation('Kept?'), creation(3)];
    const atomic = await useTool(client, 'write_entries', { items, atomic: true });
    expect(atomic.structuredContent).toMatchObject({ error: 'bulk_failed' });
    const total = async () => (await desk.get('/entries?q=Kept')).body.meta.total as number;
    const tried = await useTool(client, 'write_entries', { items: [creation('Kept?')], dryRun: true });
    expect(tried.structuredContent).toMatchObject({ dryRun: true, data: { succeeded: 1 } });
    expect(await total()).toBe(0);
  });

  it('requires confirmation of a batch that publishes', async () => {
    const key = await agents.newKey({
      type: 'management',
      permissions: ['read', 'create', 'publish'],
      requireConfirmation: true,
    });
    const careful = await agents.connect(key);
    expect((await useTool(careful, 'write_entries', { items: [creation('Draft')] })).isError).toBeUndefined();
    const args = { items: [creation('Live', { publish: true })] };
    const { structuredContent } = await useTool(careful, 'write_entries', args);
    expect(structuredContent.error).toBe('confirmation_required');
    const confirmToken = structuredContent.details?.confirmToken;
    expect(outcomesOf(await useTool(careful, 'write_entries', { ...args, confirmToken }))).toMatchObject([
      { ok: true, status: 'published' },
    ]);
  });
});
