import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { describe, expect, it } from '@jest/globals';
import { formatWebhookSecret, signatureHeaders } from '../../../src/access/media-signature.js';
import { verifies } from '../../support/verifies.js';

const ASK = `
const calls = JSON.parse(process.argv[1]);
console.log(JSON.stringify(calls.map(([secret, headers, body]) => isGenuine(secret, headers, body))));`;

describe('The check that the README shows', () => {
  verifies('events/delivery-signed');

  it("accepts genuine calls and rejects others with the README's signature check", async () => {
    const readme = await readFile('src/features/operations/webhooks/README.md', 'utf8');
    const snippet = /```js\n([\s\S]*?isGenuine[\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const [secret, other] = [1, 2].map((fill) => formatWebhookSecret(Buffer.alloc(32, fill))) as [
      string,
      string,
    ];
    const body = '{"id":"e1","text":"Schleuße"}';
    const signed = (at: Date, secrets: string[]) => signatureHeaders({ id: 'e1', at, body }, secrets);
    const now = new Date();
    const calls = [
      [secret, signed(now, [secret]), body],
      [secret, signed(now, [other, secret]), body],
      [secret, signed(now, [other]), body],
      [secret, signed(now, [secret]), `${body} `],
      [secret, signed(new Date(now.getTime() - 600_000), [secret]), body],
      [secret, {}, body],
    ];
    const script = ['--input-type=module', '-e', snippet + ASK, JSON.stringify(calls)];
    const answers: unknown = JSON.parse(execFileSync(process.execPath, script, { encoding: 'utf8' }));
    expect(answers).toEqual([true, true, false, false, false, false]);
  });
});
