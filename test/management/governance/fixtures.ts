import { KeyUsage } from '../../../src/features/access/api-keys/index.js';
import type { Desk } from '../../support/desk.js';
import { uploadAsset } from '../../support/factories/media.js';
import { article, change, now } from '../entries/history.js';
import { moveTo } from '../workflows/definitions.js';
import { happened, setKey, times } from './analyst.js';

const someone = { type: 'user', id: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a70', name: 'Ann <b>\u202e"' };

/** Creates a subject and returns its id. */
export type Fixture = (desk: Desk) => Promise<string>;

export const burst =
  (action: string, ...at: Parameters<typeof times>): Fixture =>
  async (desk) => {
    await happened(desk, { action, at: times(...at), actor: someone });
    return someone.id;
  };

export const key =
  (body: object, set?: string): Fixture =>
  async (desk) => {
    const { id } = await desk.newKey(body);
    if (set !== undefined) await setKey(desk, id, set);
    return id;
  };

export const webhook =
  (set: string): Fixture =>
  async (desk) => {
    const body = { name: 'Hook', url: 'http://127.0.0.1:1/hook', events: ['*'] };
    const { id } = (await desk.post('/webhooks', body)).body.data as { id: string };
    await desk.app.rows(desk.project.tenantId, `UPDATE webhooks SET ${set} WHERE id = $1`, [id]);
    return id;
  };

export const unknownKey = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a71';

/** An entry with a job of the desk's key. */
export const scheduled =
  (set: string): Fixture =>
  async (desk) => {
    const { id } = await article(desk);
    await desk.post(`/entries/${id}/publish`, { scheduledAt: later(year) });
    await desk.app.rows(desk.project.tenantId, `UPDATE scheduled_jobs SET ${set} WHERE entry_id = $1`, [id]);
    return id;
  };

export async function approved(desk: Desk, approver: Desk): Promise<string> {
  const { id } = await article(desk);
  await moveTo(desk, id, 'review');
  await moveTo(approver, id, 'approved');
  return id;
}

export const year = 31_536_000_000;
export const later = (ms: number): string => new Date(Date.now() + ms).toISOString();
export const management = { type: 'management', name: 'Robot "; DROP' };

/** The last Wednesday at an hour, in UTC. */
export function lastWednesday(hour: number): Date {
  const day = new Date();
  day.setUTCDate(day.getUTCDate() - (((day.getUTCDay() + 3) % 7) + 1));
  day.setUTCHours(hour, 0, 0, 0);
  return day;
}

export const minutesFrom =
  (count: number, start: Date, actor: object = someone): Fixture =>
  async (desk) => {
    const at = Array.from({ length: count }, (_, minute) => new Date(start.getTime() + minute * 60_000));
    await happened(desk, { action: 'entry.publish', at, actor: { ...someone, ...actor } });
    return someone.id;
  };

/** A key with which an agent called a tool. */
export const ofAgent =
  (body: object, tool = 'list_sites'): Fixture =>
  async (desk) => {
    const { app, project } = desk;
    const { id, secret } = await desk.newKey(body);
    const response = await app.request
      .post(`/api/mcp/${project.slug}`)
      .set('Authorization', `Bearer ${secret}`)
      .set('Accept', 'application/json, text/event-stream')
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } });
    if (response.status !== 200) throw new Error(`${tool}: ${String(response.status)} ${response.text}`);
    await app.composition.services.keyUsage.flush();
    return id;
  };

/** Published with a key; `interface` is how. */
export const publishedOver =
  (surface: 'management' | 'mcp', prepare?: (desk: Desk, id: string) => Promise<unknown>): Fixture =>
  async (desk) => {
    const { id } = await article(desk);
    await prepare?.(desk, id);
    await desk.post(`/entries/${id}/publish`, {});
    const at = new Date(String((await now(desk, id)).locales[0]?.publishedAt));
    const actor = { type: 'api_key', id: someone.id, name: 'Robot' };
    await happened(desk, { action: 'entry.publish', at: [at], actor, interface: surface, targetId: id });
    return id;
  };

/** A German translation; its source is published with another title since if `isStale`. */
export const translated =
  (isStale: boolean, isLive = true): Fixture =>
  async (desk) => {
    const { id } = await article(desk, { title: 'Lock' });
    await desk.post(`/entries/${id}/publish`, {});
    await change(desk, id, { locale: 'de', fields: { title: 'Schleuse' } });
    if (isLive) await desk.post(`/entries/${id}/publish`, { locale: 'de' });
    await desk.put(`/translations/${id}/de`, { status: 'complete' });
    if (!isStale) return id;
    await change(desk, id, { locale: 'en', fields: { title: 'Gate' } });
    await desk.post(`/entries/${id}/publish`, { locale: 'en' });
    return id;
  };

export const asset =
  (isMissing: boolean): Fixture =>
  async (desk) => {
    const { id, storageKey } = await uploadAsset(desk.app, desk.project);
    if (isMissing) await desk.app.composition.services.media.storage.remove(storageKey);
    return id;
  };

interface Quarter {
  readonly calls?: number;
  readonly errors?: number;
  readonly rateLimited?: number;
  /** Quarters of an hour before the present one. */
  readonly ago: number;
}

/** A key with calls in quarters of an hour. */
export const used =
  (...quarters: readonly Quarter[]): Fixture =>
  async (desk) => {
    const { id } = await desk.newKey(management);
    await desk.app.rows(
      desk.project.tenantId,
      `INSERT INTO api_key_usage (tenant_id, project_id, environment_id, grain, start, api_key_id, surface, tool, calls, reads, writes,
         errors, rate_limited, last_at)
       SELECT $1, $2, h.environment_id, 'quarter', date_bin('15 minutes', now(), 'epoch') - q.ago * interval '15 minutes', $3, 'rest', '',
         q.calls, q.calls, 0, q.errors, q."rateLimited", now() - q.ago * interval '15 minutes'
       FROM environment_heads h, jsonb_to_recordset($4::jsonb) AS q (ago int, calls int, errors int, "rateLimited" int)
       WHERE h.project_id = $2 AND h.is_default`,
      [
        desk.project.tenantId,
        desk.project.projectId,
        id,
        JSON.stringify(quarters.map((one) => ({ calls: 0, errors: 0, rateLimited: 0, ...one }))),
      ],
    );
    return id;
  };

interface Visit {
  readonly address: string;
  readonly calls: number;
  readonly daysAgo: number;
}

/** A key that was called from addresses, one after the other. */
export const calledFrom =
  (...visits: readonly Visit[]): Fixture =>
  async (desk) => {
    const { app, project } = desk;
    const { id } = await desk.newKey(management);
    const { units } = app.composition.services;
    let time = new Date();
    const usage = new KeyUsage(units, () => time);
    const [environment] = await app.rows<{ id: string }>(
      project.tenantId,
      'SELECT environment_id AS id FROM environment_heads WHERE project_id = $1',
      [project.projectId],
    );
    const call = {
      tenantId: project.tenantId,
      projectId: project.projectId,
      environmentId: environment?.id ?? '',
      apiKeyId: id,
      surface: 'rest',
      tool: undefined,
      outcome: 'reads',
    } as const;
    for (const { address, calls, daysAgo } of visits) {
      time = new Date(Date.now() - daysAgo * 86_400_000);
      for (let count = 0; count < calls; count += 1) usage.record({ ...call, address });
      await usage.flush();
    }
    return id;
  };
