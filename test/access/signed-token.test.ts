import { describe, expect, it } from '@jest/globals';
import { ConfirmTokens, PreviewTokens } from '../../src/access/signed-token.js';
import { deriveSecret } from '../../src/access/media-signature.js';
import { SessionTokens } from '../../src/access/session-token.js';

const secret = Buffer.alloc(32, 7);
const now = new Date('2026-03-01T12:00:00Z');
const expiresAt = new Date('2026-03-01T12:05:00Z');
const call = {
  keyId: 'k',
  projectId: 'p',
  environmentId: 'e',
  operation: 'DELETE /entries/{id}',
  input: { id: 'e' },
};
const claims = { projectId: 'p', environmentId: 'v', entryId: 'e', locale: 'de', expiresAt, tokenId: 'j' };
const confirmSecret = deriveSecret(secret, 'headwater confirm tokens');

const sessions = (key: Uint8Array): SessionTokens =>
  new SessionTokens({ algorithm: 'HS256', secret: key, issuer: 'headwater', audience: 'headwater' });
const newSession = (key: Uint8Array): Promise<string> =>
  sessions(key).issue({
    userId: 'u',
    tenantId: null,
    isSuperAdmin: true,
    tokenId: 't',
    sessionId: 's',
    now,
  });

describe('Signed token', () => {
  it('is rejected for every other purpose, even when the secrets are equal', async () => {
    const preview = await new PreviewTokens([confirmSecret]).issue(claims);
    const confirm = await new ConfirmTokens([secret]).issue(call, 3, expiresAt);
    const session = await newSession(confirmSecret);
    expect(await new ConfirmTokens([secret]).verify(confirm, call, now)).toEqual({ version: 3 });

    for (const token of [preview, session])
      expect(await new ConfirmTokens([secret]).verify(token, call, now)).toBeUndefined();
    for (const token of [confirm, session])
      await expect(new PreviewTokens([confirmSecret]).verify(token, now)).rejects.toMatchObject({
        code: 'invalid_preview_token',
      });
    for (const token of [preview, confirm])
      await expect(sessions(confirmSecret).verify(token, now)).rejects.toMatchObject({
        code: 'invalid_session',
      });
  });
});

describe('Confirm token', () => {
  it('confirms only the call it was issued for, until it expires', async () => {
    const tokens = new ConfirmTokens([secret]);
    const token = await tokens.issue(call, undefined, expiresAt);
    expect(await tokens.verify(token, call, now)).toEqual({});
    expect(await tokens.verify(token, { ...call, input: { id: 'f' } }, now)).toBeUndefined();
    expect(await tokens.verify(token, { ...call, keyId: 'other' }, now)).toBeUndefined();
    expect(await tokens.verify(token, call, expiresAt)).toBeUndefined();
  });

  it('is accepted while its former secret is still configured', async () => {
    const token = await new ConfirmTokens([secret]).issue(call, 1, expiresAt);
    const next = Buffer.alloc(32, 8);
    expect(await new ConfirmTokens([next, secret]).verify(token, call, now)).toEqual({ version: 1 });
    expect(await new ConfirmTokens([next]).verify(token, call, now)).toBeUndefined();
  });
});
