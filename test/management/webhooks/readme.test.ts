import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatWebhookSecret, signatureHeaders } from '../../../src/access/media-signature.js';
import { verifies } from '../../support/verifies.js';

type Call = [secret: string, headers: Partial<Record<string, string>>, body: string];

const [secret, other] = [1, 2].map((fill) => formatWebhookSecret(Buffer.alloc(32, fill))) as [string, string];

/** Calls, and whether they are genuine. */
function calls(): [Call, boolean][] {
  const body = '{"id":"e1","text":"Schleuße"}';
  const signed = (at: Date, secrets: string[]) => ({ ...signatureHeaders({ id: 'e1', at, body }, secrets) });
  const now = new Date();
  return [
    [[secret, signed(now, [secret]), body], true],
    [[secret, signed(now, [other, secret]), body], true],
    [[secret, signed(now, [other]), body], false],
    [[secret, signed(now, [secret]), `${body} `], false],
    [[secret, signed(new Date(now.getTime() - 600_000), [secret]), body], false],
    [[secret, {}, body], false],
  ];
}

const hasCommand = (command: string, ...given: string[]): boolean =>
  spawnSync(command, given, { stdio: 'ignore' }).status === 0;
const withPython = hasCommand('python3', '-c', 'str.removeprefix') ? it : it.skip;
const withGo = hasCommand('go', 'version') ? it : it.skip;
const withPhp = hasCommand('php', '--version') ? it : it.skip;

describe('The check of signatures that the README shows', () => {
  verifies('events/delivery-signed');

  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'headwater-signatures-'));
  });
  afterAll(async () => {
    await rm(directory, { recursive: true });
  });

  async function snippet(language: string): Promise<string> {
    const readme = await readFile('src/features/operations/webhooks/README.md', 'utf8');
    const blocks = [...readme.matchAll(/```(\w+)\n([^]*?)```/g)];
    const found = blocks.find(([, name, code]) => name === language && /is_?genuine/i.test(code ?? ''));
    return found?.[2] ?? '';
  }

  /** Runs a script with the calls as JSON in the last argument; it prints a list of booleans. */
  async function judged(command: string, name: string, text: string): Promise<unknown> {
    const file = path.join(directory, name);
    await writeFile(file, text);
    const run = command === 'go' ? ['run', file] : [file];
    const given = JSON.stringify(calls().map(([call]) => call));
    return JSON.parse(execFileSync(command, [...run, given], { encoding: 'utf8' }));
  }
  const expected = calls().map(([, isGenuine]) => isGenuine);

  it('accepts genuine calls and rejects others in JavaScript', async () => {
    const ask = `const calls = JSON.parse(process.argv[2]);
console.log(JSON.stringify(calls.map(([secret, headers, body]) => isGenuine(secret, headers, body))));`;
    expect(await judged(process.execPath, 'check.mjs', (await snippet('js')) + ask)).toEqual(expected);
  });

  withPython('accepts genuine calls and rejects others in Python (needs python3)', async () => {
    const ask = `
import json, sys
print(json.dumps([is_genuine(secret, headers, body.encode()) for secret, headers, body in json.loads(sys.argv[1])]))`;
    expect(await judged('python3', 'check.py', (await snippet('python')) + ask)).toEqual(expected);
  });

  withGo(
    'accepts genuine calls and rejects others in Go (needs go)',
    async () => {
      const ask = `
func main() {
	var calls [][]any
	if err := json.Unmarshal([]byte(os.Args[1]), &calls); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, call := range calls {
		headers := map[string]string{}
		for name, value := range call[1].(map[string]any) {
			headers[name] = value.(string)
		}
		results = append(results, isGenuine(call[0].(string), headers, call[2].(string)))
	}
	text, _ := json.Marshal(results)
	fmt.Println(string(text))
}`;
      const code = (await snippet('go')).replace('import (', 'import (\n\t"encoding/json"\n\t"fmt"\n\t"os"');
      expect(await judged('go', 'check.go', code + ask)).toEqual(expected);
    },
    120_000,
  );

  withPhp('accepts genuine calls and rejects others in PHP (needs php)', async () => {
    const ask = `
echo json_encode(array_map(fn ($call) => isGenuine(...$call), json_decode($argv[1], true)));`;
    expect(await judged('php', 'check.php', `<?php\n${await snippet('php')}${ask}`)).toEqual(expected);
  });
});
