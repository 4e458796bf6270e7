import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp } from '../../support/desk.js';

const app = useApp();

describe('GET /ip-allowlist/{id}', () => {
  it('returns the IP rule that Location names after creation', async () => {
    const desk = await openDesk(app());
    const created = await desk.post('/ip-allowlist', { cidr: '203.0.113.0/24' });
    const read = await desk.get(`/ip-allowlist/${created.body.data.id}`);
    expect(read.status).toBe(200);
    expect(read.body.data).toEqual(created.body.data);
    expect(created.headers.location).toBe(`${desk.project.management}/ip-allowlist/${created.body.data.id}`);
  });

  it('returns 404 for an unknown IP rule', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.get('/ip-allowlist/0198c0de-0000-7000-8000-000000000000'))).toEqual([
      404,
      'ip_rule_not_found',
    ]);
  });
});
