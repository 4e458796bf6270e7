import { describe, expect, it } from '@jest/globals';
import { isSecretName, redactSecrets, redactText } from '../../src/infrastructure/redaction.js';
import { verifies } from '../support/verifies.js';

describe('redaction', () => {
  verifies('events/records-redacted');

  it.each([
    'secret',
    'secretHash',
    'passwordHash',
    'api_key',
    'apiKey',
    'X-Auth-Token',
    'Authorization',
    'set-cookie',
  ])('recognizes %s as the name of a credential', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(['title', 'tokenizer', 'secretary', 'contentHash', 'key', 'apiName', 'hash'])(
    'does not redact values of the key %s',
    (name) => {
      expect(isSecretName(name)).toBe(false);
    },
  );

  it('redacts at every depth and returns other values unchanged', () => {
    const value = {
      a: [{ b: { c: { clientSecret: 's', list: [{ token: 12 }] } } }],
      at: new Date(0),
      n: null,
    };
    expect(redactSecrets(value)).toEqual({
      a: [{ b: { c: { clientSecret: '[redacted]', list: [{ token: '[redacted]' }] } } }],
      at: new Date(0),
      n: null,
    });
    const clean = { a: [{ b: 1 }], isSecret: true };
    expect(redactSecrets(clean)).toBe(clean);
  });

  it('redacts the value of a header marked as secret', () => {
    const headers = [
      { name: 'X-Team', value: 'web', secret: false },
      { name: 'X-Hook', value: 'canary', secret: true },
    ];
    expect(redactSecrets({ headers })).toEqual({
      headers: [headers[0], { name: 'X-Hook', value: '[redacted]', secret: true }],
    });
  });

  it.each([
    `key hwm_${'a1'.repeat(24)} here`,
    `whsec_${'Ab+/'.repeat(11)}=`,
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl',
    '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
    'Authorization: Bearer 0123456789abcdef0123',
    'https://user:canary-password@example.com/hook',
  ])('redacts a credential by its shape: %s', (text) => {
    const shown = redactText(text);
    expect(shown).toContain('[redacted]');
    expect(shown).not.toMatch(/a1a1|Ab\+|eyJ|c2FsdA|0123|canary/);
  });

  it('returns ordinary strings unchanged', () => {
    for (const text of ['https://example.com/a@b', 'mail ada@example.com', 'hwm_short', 'eyJ', ''])
      expect(redactText(text)).toBe(text);
  });
});
