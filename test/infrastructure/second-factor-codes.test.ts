import { describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import {
  checkTotp,
  hashRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
  totpAddress,
} from '../../src/infrastructure/second-factor-codes.js';
import { verifies } from '../support/verifies.js';

/** Of RFC 6238, appendix B. */
const secret = Secret.fromLatin1('12345678901234567890').base32;
const now = new Date(1_111_111_109_000);
const step = 37_037_036;

const codeAt = (seconds: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() + seconds * 1000 });

describe('Codes of authenticator apps', () => {
  verifies('access/second-factor-codes');

  it('are those of RFC 6238', () => {
    expect(checkTotp(secret, '081804', { now, lastStep: null })).toEqual({ step });
  });

  it.each([
    [-90, { refused: 'clock' }],
    [-60, { refused: 'clock' }],
    [-30, { step: step - 1 }],
    [0, { step }],
    [30, { step: step + 1 }],
    [60, { refused: 'clock' }],
    [90, { refused: 'clock' }],
    [3600, { refused: 'wrong' }],
  ])('of a clock that is %d seconds off give %j', (seconds, expected) => {
    expect(checkTotp(secret, codeAt(seconds), { now, lastStep: null })).toEqual(expected);
  });

  it('are refused up to the step of the last accepted one', () => {
    for (const lastStep of [step, step + 1])
      expect(checkTotp(secret, codeAt(0), { now, lastStep })).toEqual({ refused: 'used' });
    expect(checkTotp(secret, codeAt(0), { now, lastStep: step - 1 })).toEqual({ step });
  });

  it('come from secrets of 160 bits, whose address names account and issuer', () => {
    const made = newTotpSecret();
    expect(made).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(made);
    const address = totpAddress(made, { account: 'ada@example.com', issuer: 'Headwater' });
    expect(address).toBe(
      `otpauth://totp/Headwater:ada%40example.com?issuer=Headwater&secret=${made}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});

describe('Recovery codes', () => {
  verifies('access/second-factor-codes');

  it('are ten different ones of 80 bits, whatever hyphens and capitals they are typed with', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    const [code = ''] = codes;
    const typed = ` ${code.replaceAll('-', ' ').toUpperCase()}`;
    expect(hashRecoveryCode(typed)).toEqual(hashRecoveryCode(code));
    expect(hashRecoveryCode(codes[1] ?? '')).not.toEqual(hashRecoveryCode(code));
  });
});
