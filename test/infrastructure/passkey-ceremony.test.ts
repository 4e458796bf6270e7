import { describe, expect, it } from '@jest/globals';
import { relyingParty } from '../../src/infrastructure/passkey-ceremony.js';
import { startTestApp } from '../support/app.js';
import { send } from '../support/call.js';
import { outcome } from '../support/desk.js';
import { verifies } from '../support/verifies.js';

describe('The service as a relying party', () => {
  verifies('access/passkeys');

  it.each([
    ['https://cms.example.com/base', 'cms.example.com', 'https://cms.example.com', 'https://example.com'],
    [
      'https://cms.example.com:8443',
      'cms.example.com',
      'https://cms.example.com:8443',
      'https://cms.example.com',
    ],
    ['http://localhost:3000', 'localhost', 'http://localhost:5173', 'http://localhost.example.com'],
    ['http://127.0.0.1:3000', 'localhost', 'http://localhost:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'localhost', 'http://localhost:3000', 'null'],
    ['', 'localhost', 'http://localhost', 'not an origin'],
  ])('%s is %s, at %s and not at %s', (url, id, origin, other) => {
    const party = relyingParty(url);
    expect([party?.id, party?.isOrigin(origin), party?.isOrigin(other)]).toEqual([id, true, false]);
  });

  it.each(['http://192.0.2.7:3000', 'https://[2001:db8::1]'])('%s has no passkeys', (url) => {
    expect(relyingParty(url)).toBeUndefined();
  });

  it('says that it has none where its public URL is an IP address', async () => {
    const app = await startTestApp({ publicBaseUrl: 'https://192.0.2.7' });
    try {
      const start = { method: 'POST', path: '/api/v1/auth/passkey/options', body: {} } as const;
      expect(outcome(await send(app, start))).toEqual([404, 'passkeys_not_available']);
    } finally {
      await app.close();
    }
  });
});
