import { describe, expect, it } from '@jest/globals';
import { limits } from '../../../contracts/limits.js';
import { pruneExpired } from '../../../src/process/parts/periodic-work.js';
import { outcome, useApp, useOwnApp } from '../../support/desk.js';
import { exchange, newClient, redirectUri, register } from '../../support/oauth-client.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

describe('A registration', () => {
  verifies('access/oauth-under-attack');

  it.each([
    ['javascript:alert(1)'],
    ['JavaScript://agents.example.com/%0aalert(1)'],
    ['data:text/html,<script>alert(1)</script>'],
    ['vbscript:msgbox(1)'],
    ['blob:https://agents.example.com/1'],
    ['file:///etc/passwd'],
    ['http://agents.example.com/callback'],
    ['http://127.0.0.1.example.com/callback'],
    ['http://localhost@example.com/callback'],
    ['https://user:password@agents.example.com/callback'],
    ['https://agents.example.com/callback#fragment'],
    ['https://agents.example.com/callback#'],
    ['intent://agents.example.com'],
    ['unknown://callback'],
    ['no address'],
    [`https://agents.example.com/${'a'.repeat(1000)}`],
  ])('refuses the redirect URI %s', async (uri) => {
    const response = await register(app(), { redirect_uris: [uri] });
    expect(outcome(response)).toEqual([400, 'invalid_client_metadata']);
  });

  it.each([
    ['https://agents.example.com/callback?from=here'],
    ['http://localhost:33418/callback'],
    ['http://[::1]/callback'],
    ['cursor://anysphere.cursor-retrieval/oauth/callback'],
    ['com.example.app:/callback'],
  ])('accepts the redirect URI %s', async (uri) => {
    expect((await newClient(app(), { redirect_uris: [uri] })).redirect_uris).toEqual([uri]);
  });

  it('refuses none and more than ten redirect URIs', async () => {
    const many = Array.from({ length: 11 }, (_, n) => `${redirectUri}/${String(n)}`);
    for (const redirect_uris of [[], many, undefined, 'text'])
      expect((await register(app(), { redirect_uris })).status).toBe(400);
  });

  it('gives every client no secret, whatever it asks for', async () => {
    const client = await newClient(app(), {
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      client_id: 'chosen',
    });
    expect(client).toMatchObject({ token_endpoint_auth_method: 'none', grant_types: ['authorization_code'] });
    expect(client.client_secret).toBeUndefined();
    expect(client.client_id).not.toBe('chosen');
  });

  it('shows a hostile name on one line, without marks of direction', async () => {
    const names = await Promise.all(
      ['\u202Egro.elpmaxe\u2066 \u0000Trusted\r\n\u200Bhost\u2028', ' \u200B ', 'n'.repeat(500)].map(
        async (client_name) => (await newClient(app(), { client_name })).client_name,
      ),
    );
    expect(names).toEqual(['gro.elpmaxe Trusted host', 'agents.example.com', 'n'.repeat(80)]);
  });
});

describe('A flood', () => {
  verifies('access/oauth-under-attack');
  const rateDefaults = { delivery: 0, preview: 0, management: 0, session: 0, anonymous: 8, login: 3 };
  const limited = useOwnApp({ rateDefaults });

  it('of registrations and of other calls is limited by address', async () => {
    const registrations = [];
    for (let n = 0; n < 4; n += 1) registrations.push((await register(limited())).status);
    expect(registrations).toEqual([201, 201, 201, 429]);
    const calls = [];
    for (let n = 0; n < 9; n += 1) calls.push((await exchange(limited(), { client_id: 'unknown' })).status);
    expect(calls).toEqual([...Array.from({ length: 8 }, () => 400), 429]);
  });

  it('leaves the newest clients, and of those that no user approved only some days', async () => {
    const { services } = limited().composition;
    const rows = (sql: string, values: unknown[] = []) => limited().rows<{ id: string }>(null, sql, values);
    await rows('DELETE FROM oauth_clients');
    await rows(
      `INSERT INTO oauth_clients SELECT gen_random_uuid(), 'Flood', '{}', now() - interval '1 hour' - n * interval '1 second', NULL
       FROM generate_series(1, $1) n`,
      [limits.oauthWaitingClients],
    );
    await rows(
      `INSERT INTO oauth_clients VALUES (gen_random_uuid(), 'Used', '{}', now() - interval '2 days', now() - interval '2 days')`,
    );
    await services.rates?.limits.reset('login:127.0.0.1');
    const client = await newClient(limited());
    const counted = await rows(
      'SELECT name AS id, count(*)::int AS total FROM oauth_clients GROUP BY 1 ORDER BY 1',
    );
    expect(counted).toEqual([
      { id: 'Agent host', total: 1 },
      { id: 'Flood', total: limits.oauthWaitingClients - 1 },
      { id: 'Used', total: 1 },
    ]);
    await rows("UPDATE oauth_clients SET created_at = now() - interval '8 days' WHERE name <> 'Used'");
    await rows("UPDATE oauth_clients SET created_at = now() - interval '6 days' WHERE id = $1", [
      client.client_id,
    ]);
    await pruneExpired(services);
    expect(await rows('SELECT name AS id FROM oauth_clients ORDER BY 1')).toEqual([
      { id: 'Agent host' },
      { id: 'Used' },
    ]);
  });
});
