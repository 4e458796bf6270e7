import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp } from '../../support/desk.js';

const app = useApp();

const withoutSecret = ({ secret: _secret, ...webhook }: Record<string, unknown>) => webhook;

describe('GET /webhooks/{id}', () => {
  it('returns the webhook that Location names after creation', async () => {
    const desk = await openDesk(app());
    const created = await desk.post('/webhooks', {
      name: 'Hook',
      url: 'http://127.0.0.1:1/hook',
      events: ['*'],
    });
    const read = await desk.get(`/webhooks/${created.body.data.id}`);
    expect(read.status).toBe(200);
    expect(read.body.data).toEqual(withoutSecret(created.body.data));
    expect(created.headers.location).toBe(`${desk.project.management}/webhooks/${created.body.data.id}`);
  });

  it('returns 404 for an unknown webhook', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.get('/webhooks/0198c0de-0000-7000-8000-000000000000'))).toEqual([
      404,
      'webhook_not_found',
    ]);
  });
});
