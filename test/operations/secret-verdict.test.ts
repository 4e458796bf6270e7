import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { expectedKeys } from '../support/answers/answer-report.js';
import { secretKinds, type SecretKind } from '../support/secrets/secret-places.js';
import { judge } from '../support/secrets/watch-records.js';
import { verifies } from '../support/verifies.js';

describe('The end of a run', () => {
  verifies('ops-canaries');

  const all = Object.fromEntries(secretKinds.map((kind) => [kind, 1])) as Record<SecretKind, number>;
  const looks = { 'log line': 2, answer: 3, 'stored row': 4 };
  const good = { suite: 'a.test.ts', looked: { secrets: all, looks, findings: [] } };
  const finding = { kind: 'password', place: 'answer', where: 'GET /x' } as const;
  const bad = { suite: 'b.test.ts', looked: { secrets: {}, looks, findings: [finding] } };

  it('passes when everything was inspected and nothing found', () => {
    expect(judge([good], true)).toEqual({
      complaints: [],
      summary: `${secretKinds.length} secrets of 1 suites, 2 log lines, 3 answers, 4 stored rows`,
    });
  });

  it('reports suite, kind and place of each finding, and databases that were not inspected', () => {
    expect(judge([good, bad, { suite: 'c.test.ts' }], true).complaints).toEqual([
      'b.test.ts: password in answer (GET /x)',
      'c.test.ts: a database was never searched',
    ]);
  });

  it('fails when a whole run contained no secret or place of some kind', () => {
    expect(judge([], true).complaints).toHaveLength(secretKinds.length + 3);
    expect(judge([], false).complaints).toEqual([]);
    const blind = { ...good, looked: { ...good.looked, looks: { ...looks, answer: 0 } } };
    expect(judge([blind], true).complaints).toEqual([
      'the whole run contained no answer, so the search proves nothing',
    ]);
  });

  const leak = 'b.test.ts: password in answer (GET /x)';
  const constant = 'Site.isActive: one value';
  const sitePaths = (expectedKeys()['sites.list'] ?? []).map(({ path: at }) => at);

  it.each([
    { records: [good], isActive: true, counts: '7 0 0', complaints: [] },
    { records: [good, bad], isActive: true, counts: '6 1 0', complaints: [leak] },
    { records: [good], isActive: ['hash', 2], counts: '6 1 0', complaints: [constant] },
    { records: [good, bad], isActive: ['hash', 2], counts: '5 2 0', complaints: [leak, constant] },
    { records: [good], isActive: ['hash', 2], counts: '6 0 0', complaints: [], files: ['a.test.ts'] },
  ])(
    'fails a run as one test each: $counts',
    async ({ records, isActive, counts, complaints, files = [] }) => {
      const directory = await mkdtemp(path.join(tmpdir(), 'headwater-verdict-'));
      try {
        for (const [index, record] of records.entries())
          await writeFile(path.join(directory, `${index}.json`), JSON.stringify(record));
        const answers = path.join(directory, 'answers');
        await mkdir(answers);
        const varied = Object.fromEntries(sitePaths.map((at) => [at, true]));
        const keys = { ...varied, 'data[].isActive': isActive };
        await writeFile(
          path.join(answers, 'one.json'),
          JSON.stringify({ 'sites.list': { answers: 2, keys } }),
        );
        const reporter = pathToFileURL(path.resolve(import.meta.dirname, '../support/run-reporter.js')).href;
        const results = {
          numPassedTests: 5,
          numFailedTests: 0,
          numRuntimeErrorTestSuites: 0,
          numPendingTests: 0,
          numTodoTests: 0,
        };
        const script = `import { readFileSync } from 'node:fs';
        import Reporter from ${JSON.stringify(reporter)};
        const run = new Reporter({ nonFlagArgs: ${JSON.stringify(files)} });
        await run.onRunComplete(undefined, ${JSON.stringify(results)});
        process.exitCode = run.getLastError() === undefined ? 0 : 3;
        console.log(readFileSync(process.env.HEADWATER_TEST_SUMMARY, 'utf8'));`;
        const env = {
          ...process.env,
          HEADWATER_SECRET_RECORDS: directory,
          HEADWATER_ANSWER_RECORDS: answers,
          HEADWATER_ANSWER_REPORT: '',
          HEADWATER_TEST_SUMMARY: path.join(directory, 'summary'),
        };
        const args = ['--input-type=module', '-e', script];
        const ended = await promisify(execFile)(process.execPath, args, { env }).then(
          ({ stdout }) => ({ code: 0, text: stdout }),
          (error: { code: number; stdout: string; stderr: string }) => ({
            code: error.code,
            text: error.stderr + error.stdout,
          }),
        );
        expect(ended.code).toBe(complaints.length > 0 ? 3 : 0);
        expect(ended.text).toContain(counts);
        expect([leak, constant].filter((line) => ended.text.includes(line))).toEqual(complaints);
      } finally {
        await rm(directory, { recursive: true });
      }
    },
  );
});
