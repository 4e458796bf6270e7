import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

describe('Allowlist entries', () => {
  verifies('access/allowlist-operations', 'access/allowlist-enforced', 'http/put-partial');

  it('are added, listed with the settings, changed and deleted', async () => {
    const desk = await openDesk(app());
    const expiresAt = '2031-01-01T00:00:00.000Z';
    const rule = { cidr: '203.0.113.0/24', label: 'Office', isActive: false, expiresAt };
    const made = await desk.post('/ip-allowlist', rule);
    expect([made.status, made.body.data]).toEqual([201, expect.objectContaining(rule)]);
    const { id } = made.body.data as { id: string };
    const single = await desk.post('/ip-allowlist', { cidr: '2001:db8::7' });
    expect(single.body.data).toMatchObject({ label: null, isActive: true, expiresAt: null });
    const list = await desk.get('/ip-allowlist?orderBy=createdAt:asc');
    expect(list.body).toEqual({
      data: [made.body.data, single.body.data],
      meta: {
        total: 2,
        page: 1,
        limit: 25,
        pages: 1,
        settings: { enabled: false, appliesTo: ['management', 'mcp'] },
      },
    });
    const change = { cidr: '203.0.113.128/25', label: null, isActive: true, expiresAt: null };
    expect((await desk.put(`/ip-allowlist/${id}`, change)).body.data).toMatchObject({ id, ...change });
    expect((await desk.delete(`/ip-allowlist/${id}`)).body.data).toEqual({ id, deleted: true });
    expect((await desk.get('/ip-allowlist')).body.meta.total).toBe(1);
  });

  it.each([
    ['localhost', 'malformed'],
    ['10.0.0.0/33', 'malformed'],
    ['10.0.0.0/08', 'malformed'],
    ['010.0.0.0/8', 'malformed'],
    ['10.1', 'malformed'],
    ['0x7f000001', 'malformed'],
    ['::1/129', 'malformed'],
    ['fe80::1%lo', 'malformed'],
    ['10.0.0.0/8/8', 'malformed'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['2001:db8::1/32', '2001:db8::/32'],
  ])('name networks, which %s does not', async (cidr, hint) => {
    const desk = await openDesk(app());
    const answer = await desk.post('/ip-allowlist', { cidr });
    expect(outcome(answer)).toEqual([422, 'validation_failed']);
    expect(issues(answer)).toEqual([['cidr', 'invalid_cidr']]);
    if (hint !== 'malformed') expect(answer.text).toContain(hint);
  });

  it.each([
    [{}, 'cidr'],
    [{ cidr: '10.0.0.1', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ cidr: '10.0.0.1', enabled: true }, 'enabled'],
  ])('are refused as %j', async (body, path) => {
    const desk = await openDesk(app());
    const answer = await desk.post('/ip-allowlist', body);
    expect(outcome(answer)).toEqual([422, 'validation_failed']);
    expect(issues(answer)[0]?.[0]).toBe(path);
  });

  it('are 200 at most', async () => {
    const desk = await openDesk(app());
    await desk.post('/ip-allowlist', { cidr: '10.0.0.1' });
    await app().rows(
      desk.project.tenantId,
      `INSERT INTO ip_rules SELECT tenant_id, project_id, gen_random_uuid(), cidr, label, is_active, expires_at, created_at,
         created_by, updated_at FROM ip_rules, generate_series(1, 199) WHERE tenant_id = $1`,
      [desk.project.tenantId],
    );
    expect(outcome(await desk.post('/ip-allowlist', { cidr: '10.0.0.2' }))).toEqual([422, 'limit_reached']);
  });

  it.each(['nothing', '0198c0de-0000-7000-8000-000000000000'])('are 404 as %s', async (id) => {
    const desk = await openDesk(app());
    expect(outcome(await desk.delete(`/ip-allowlist/${id}`))).toEqual([404, 'ip_rule_not_found']);
    expect(outcome(await desk.put(`/ip-allowlist/${id}`, { label: 'x' }))).toEqual([
      404,
      'ip_rule_not_found',
    ]);
    expect(outcome(await desk.put(`/ip-allowlist/${id}`, {}))).toEqual([422, 'no_update_fields']);
  });
});
