import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../contracts/errors.js';
import { previewSecretFrom, PreviewTokens, type PreviewClaims } from '../../src/access/preview-token.js';
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

function refusal(token: string, at: Date = now, by: PreviewTokens = tokens): string {
  try {
    by.verify(token, at);
    return 'taken';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe('A preview token', () => {
  verifies('dec-2.19');

  it('has the form pv1.payload.signature with the keys that are promised', () => {
    const token = tokens.issue(claims);
    expect(token).toMatch(/^pv1\.[\w-]+\.[\w-]{43}$/);
    expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())).toEqual({
      prj: 'p',
      ent: 'e',
      loc: 'de',
      ver: 3,
      env: 'v',
      exp: 1772370000,
      jti: 'j',
    });
  });

  it('is read back as it was issued, with and without a version', () => {
    expect(tokens.verify(tokens.issue(claims), now)).toEqual(claims);
    const draft = { ...claims, version: undefined };
    expect(tokens.verify(tokens.issue(draft), now)).toEqual(draft);
  });

  it('ends at its second', () => {
    const token = tokens.issue(claims);
    expect(refusal(token, new Date('2026-03-01T12:59:59.999Z'))).toBe('taken');
    expect(refusal(token, new Date('2026-03-01T13:00:00.000Z'))).toBe('invalid_preview_token');
  });

  it('is refused with any character changed, left out or added', () => {
    const token = tokens.issue(claims);
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A';
      expect(refusal(token.slice(0, index) + other + token.slice(index + 1))).toBe('invalid_preview_token');
      expect(refusal(token.slice(0, index) + token.slice(index + 1))).toBe('invalid_preview_token');
    }
    for (const junk of [
      '',
      '.',
      'pv1..',
      `${token}=`,
      `${token} `,
      ` ${token}`,
      `${token}.x`,
      'x'.repeat(100_000),
    ])
      expect(refusal(junk)).toBe('invalid_preview_token');
  });

  it('outlives the replacement of its secret by one', () => {
    const token = tokens.issue(claims);
    const replaced = new PreviewTokens([secret('two'), secret('one')]);
    expect(refusal(token, now, replaced)).toBe('taken');
    expect(refusal(replaced.issue(claims))).toBe('invalid_preview_token');
    expect(refusal(token, now, new PreviewTokens([secret('three'), secret('two')]))).toBe(
      'invalid_preview_token',
    );
  });

  it('is signed by a secret that follows from that of sessions, but is another', () => {
    const session = secret('session');
    expect(previewSecretFrom(session)).toHaveLength(32);
    expect(Buffer.from(previewSecretFrom(session)).equals(session)).toBe(false);
    expect(previewSecretFrom(session)).toEqual(previewSecretFrom(session));
  });
});
