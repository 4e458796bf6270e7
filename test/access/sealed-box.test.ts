import { describe, expect, it } from '@jest/globals';
import { SealedBox, sealingKeyFrom } from '../../src/access/sealed-box.js';

const key = (fill: number): Uint8Array => Buffer.alloc(32, fill);
const box = new SealedBox([key(1)]);
const value = '{"output":"ä"}';

describe('Sealed box', () => {
  it('opens what it sealed, as bytes and as a string', () => {
    expect(box.open(box.seal(value, 'row'), 'row')).toBe(value);
    expect(box.openText(box.sealText(value, 'row'), 'row')).toBe(value);
    expect(box.open(box.seal('', 'row'), 'row')).toBe('');
  });

  it('rejects another context, another key and changed bytes', () => {
    const [bytes, text] = [box.seal(value, 'row'), box.sealText(value, 'row')];
    expect(box.open(bytes, 'other row')).toBeUndefined();
    expect(box.openText(text, 'other row')).toBeUndefined();
    expect(new SealedBox([key(2)]).open(bytes, 'row')).toBeUndefined();
    expect(new SealedBox([key(2)]).openText(text, 'row')).toBeUndefined();
    for (let index = 0; index < bytes.length; index += 1) {
      const altered = Buffer.from(bytes);
      altered[index] = (altered[index] ?? 0) ^ 1;
      expect(box.open(altered, 'row')).toBeUndefined();
    }
    for (const junk of ['', 's1.', 's1.AAAA', 's2.AAAA', `${text} `, `x${text}`])
      expect(box.openText(junk, 'row')).toBeUndefined();
    expect(box.open(Buffer.alloc(0), 'row')).toBeUndefined();
    expect(box.open(Buffer.alloc(20, 1), 'row')).toBeUndefined();
  });

  it('seals with the first key and opens with any, so keys can be rotated', () => {
    const rotated = new SealedBox([key(2), key(1)]);
    expect(rotated.openText(box.sealText(value, 'row'), 'row')).toBe(value);
    expect(rotated.open(box.seal(value, 'row'), 'row')).toBe(value);
    expect(box.open(rotated.seal(value, 'row'), 'row')).toBeUndefined();
  });

  it('opens webhook secrets and replies stored by earlier releases', () => {
    const stored = 's1.AjGW1hnpL7zaICWdNmUD8tCCMnXcY96WjyGDSnznEi5OPN1_';
    expect(new SealedBox([sealingKeyFrom(key(7))]).openText(stored, 'webhook-1')).toBe('whsec_ä');
    const reply = Buffer.from('toyCGsmc2J0w5qSXwc4Aw-S0EFzTq0Tm-6eaG0L_3S0dOsn_2UiSXJiTgw', 'base64url');
    expect(new SealedBox([key(7)]).open(reply, 'call-1')).toBe(value);
    expect(new SealedBox([key(7)]).open(reply, 'call-2')).toBeUndefined();
  });
});
