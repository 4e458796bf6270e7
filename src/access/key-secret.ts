import { hash } from 'node:crypto';
import type { KeyType } from '../../contracts/access/api-keys/api-key.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
type SecretType = KeyType | 'personal';

const prefixes = {
  delivery: 'hwd_',
  preview: 'hwp_',
  management: 'hwm_',
  personal: 'hwu_',
} as const satisfies Record<SecretType, string>;
const SECRET = /^hw[dpmu]_[0-9A-Za-z]{49}$/;
const BODY_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest /= 62n)
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
  return digits;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text, 'utf8')) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_LENGTH);

/**
 * Prefix by type, 43 base62 characters of randomness, and a checksum for secret scanners.
 * @param random exactly 32 bytes
 */
export function formatSecret(type: SecretType, random: Uint8Array): string {
  const number = BigInt(`0x${Buffer.from(random).toString('hex')}`);
  const text = prefixes[type] + base62(number, BODY_LENGTH);
  return text + checksum(text);
}

export const isPersonalSecret = (text: string): boolean =>
  text.startsWith(prefixes.personal) && isWellFormedSecret(text);

/** Detects truncated and mistyped keys. */
export function isWellFormedSecret(text: string): boolean {
  return SECRET.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** A key has 256 random bits, so a plain SHA-256 cannot be searched. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The displayable part. */
export function describeSecret(secret: string): { prefix: string; lastFour: string } {
  return { prefix: secret.slice(0, 4), lastFour: secret.slice(-4) };
}
