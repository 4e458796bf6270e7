import { describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { AppError } from '../../contracts/errors.js';
import { previewSecretFrom, PreviewTokens, type PreviewClaims } from '../../src/access/signed-token.js';
import { verifies } from '../support/verifies.js';

const secret = (text: string): Uint8Array => Buffer.from(text.padEnd(32, '.'));
const tokens = new PreviewTokens([secret('one')]);
const now = new Date('2026-03-01T12:00:00Z');
const claims: PreviewClaims = {
  projectId: 'p',
  environmentId: 'v',
  entryId: 'e',
  locale: 'de',
  version: 3,
  expiresAt: new Date('2026-03-01T13:00:00Z'),
  tokenId: 'j',
};
const payload = { prj: 'p', ent: 'e', loc: 'de', ver: 3, env: 'v', exp: 1772370000, jti: 'j' };

async function outcome(token: string, at: Date = now, by: PreviewTokens = tokens): Promise<string> {
  try {
    await by.verify(token, at);
    return 'accepted';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

const partOf = (token: string, index: number): unknown =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());

describe('Preview token', () => {
  verifies('publication/preview-tokens');

  it('is a compact JWS with its own typ and the documented claims', async () => {
    const token = await tokens.issue(claims);
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{43}$/);
    expect(partOf(token, 0)).toEqual({ alg: 'HS256', typ: 'hw-preview+jwt' });
    expect(partOf(token, 1)).toEqual(payload);
  });

  it('returns the claims it was issued with, with and without a version', async () => {
    expect(await tokens.verify(await tokens.issue(claims), now)).toEqual(claims);
    const draft = { ...claims, version: undefined };
    expect(await tokens.verify(await tokens.issue(draft), now)).toEqual(draft);
  });

  it('expires at its exp second', async () => {
    const token = await tokens.issue(claims);
    expect(await outcome(token, new Date('2026-03-01T12:59:59.999Z'))).toBe('accepted');
    expect(await outcome(token, new Date('2026-03-01T13:00:00.000Z'))).toBe('invalid_preview_token');
  });

  it('is rejected when any character is changed, removed or added', async () => {
    const token = await tokens.issue(claims);
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A';
      const changed = token.slice(0, index) + other + token.slice(index + 1);
      expect(await outcome(changed)).toBe('invalid_preview_token');
      expect(await outcome(token.slice(0, index) + token.slice(index + 1))).toBe('invalid_preview_token');
    }
    // The last character of a signature has two unused bits; only the canonical spelling may pass.
    for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      if (character === token.at(-1)) continue;
      expect(await outcome(token.slice(0, -1) + character)).toBe('invalid_preview_token');
    }
    for (const junk of [
      '',
      '.',
      '..',
      `${token}=`,
      `${token} `,
      ` ${token}`,
      `${token}.x`,
      'x'.repeat(100_000),
    ])
      expect(await outcome(junk)).toBe('invalid_preview_token');
  });

  it('is rejected with another typ, another algorithm or no exp, even with the right secret', async () => {
    const sign = (typ: string, claimed: object, alg = 'HS256'): Promise<string> =>
      new SignJWT({ ...claimed }).setProtectedHeader({ alg, typ }).sign(secret('one'));
    expect(await outcome(await sign('hw-preview+jwt', payload))).toBe('accepted');
    const { exp: _exp, ...endless } = payload;
    for (const token of [
      await sign('hw-confirm+jwt', payload),
      await sign('at+jwt', payload),
      await sign('JWT', payload),
      await sign('hw-preview+jwt', endless),
      await sign('hw-preview+jwt', { ...payload, extra: 1 }),
      await sign('hw-preview+jwt', payload, 'HS512'),
    ])
      expect(await outcome(token)).toBe('invalid_preview_token');
  });

  it('is accepted while its former secret is still configured', async () => {
    const token = await tokens.issue(claims);
    const rotated = new PreviewTokens([secret('two'), secret('one')]);
    expect(await outcome(token, now, rotated)).toBe('accepted');
    expect(await outcome(await rotated.issue(claims))).toBe('invalid_preview_token');
    expect(await outcome(token, now, new PreviewTokens([secret('three'), secret('two')]))).toBe(
      'invalid_preview_token',
    );
  });

  it('is signed with a secret derived from the session secret, not the session secret itself', () => {
    const session = secret('session');
    expect(previewSecretFrom(session)).toHaveLength(32);
    expect(Buffer.from(previewSecretFrom(session)).equals(session)).toBe(false);
    expect(previewSecretFrom(session)).toEqual(previewSecretFrom(session));
  });
});
