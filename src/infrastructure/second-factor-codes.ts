import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { hashOfToken } from './ids.js';

/** What every authenticator app supports (RFC 6238). */
const TOTP_OPTIONS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;

/** Steps before and after the present one whose codes are accepted: 30 seconds of difference between two clocks. */
const WINDOW = 1;
/** Codes within so many steps are right, but of a clock that is wrong. Few: who guesses learns of codes to come. */
const CLOCK_WINDOW = 4;

const totpOf = (secret: string, label = '', issuer = ''): TOTP =>
  new TOTP({ ...TOTP_OPTIONS, secret: Secret.fromBase32(secret), label, issuer });

/** 160 random bits in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The `otpauth:` address that an authenticator app reads from a QR code. */
export const totpAddress = (
  secret: string,
  { account, issuer }: { account: string; issuer: string },
): string => totpOf(secret, account, issuer).toString();

export type TotpResult = { readonly step: number } | { readonly refused: 'wrong' | 'used' | 'clock' };

/**
 * Checks a code of six digits.
 * @param lastStep of the code that was accepted last: it and earlier ones are refused (RFC 6238 §5.2)
 */
export function checkTotp(
  secret: string,
  code: string,
  { now, lastStep }: { readonly now: Date; readonly lastStep: number | null },
): TotpResult {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: CLOCK_WINDOW });
  if (delta === null) return { refused: 'wrong' };
  if (Math.abs(delta) > WINDOW) return { refused: 'clock' };
  const step = Math.floor(timestamp / 1000 / TOTP_OPTIONS.period) + delta;
  return lastStep !== null && step <= lastStep ? { refused: 'used' } : { step };
}

const CODES = 10;
/** 80 random bits each, so that a plain SHA-256 cannot be reversed by search. */
const CODE_BYTES = 10;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

function newRecoveryCode(): string {
  const bits = [...randomBytes(CODE_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{5}/g)?.map((five) => ALPHABET.charAt(parseInt(five, 2))) ?? [];
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** Each replaces a code of the authenticator app once. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newRecoveryCode);

/** People type codes with spaces, hyphens and capitals. */
export const plainCode = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase();

export const hashRecoveryCode = (code: string): Buffer => hashOfToken(plainCode(code));
