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
  verifies('operation/no-secrets');

  const all = Object.fromEntries(secretKinds.map((kind) => [kind, 1])) as Record<SecretKind, number>;
  const looks = { 'log line': 2, answer: 3, 'stored row': 4 };
  const good = { suite: 'a.test.ts', looked: { secrets: all, looks, findings: [] } };
  const whole = { isWhole: true, skipped: new Set<string>() };
  const finding = { kind: 'password', place: 'answer', where: 'GET /x' } as const;
  const bad = { suite: 'b.test.ts', looked: { secrets: {}, looks, findings: [finding] } };

  it('passes when everything was inspected and nothing found', () => {
    expect(judge([good], whole)).toEqual({
      complaints: [],
      summary: `${secretKinds.length} secrets of 1 suites, 2 log lines, 3 answers, 4 stored rows`,
    });
  });

  it('reports suite, kind and place of each finding, and databases that were not inspected', () => {
    expect(judge([good, bad, { suite: 'c.test.ts' }], whole).complaints).toEqual([
      'b.test.ts: password in answer (GET /x)',
      'c.test.ts: a database was never searched',
    ]);
  });

  it('fails when a whole run contained no secret or place of some kind', () => {
    expect(judge([], whole).complaints).toHaveLength(secretKinds.length + 3);
    expect(judge([], { ...whole, isWhole: false }).complaints).toEqual([]);
    const blind = { ...good, looked: { ...good.looked, looks: { ...looks, answer: 0 } } };
    expect(judge([blind], whole).complaints).toEqual([
      'the whole run contained no answer, so the search proves nothing',
    ]);
  });

  it('does not expect secrets that only operations of skipped suites have', () => {
    const { 'webhook secret': _webhook, 'preview token': _preview, ...others } = all;
    const few = { ...good, looked: { ...good.looked, secrets: others } };
    const skipped = new Set(['webhooks.create']);
    expect(judge([few], { ...whole, skipped }).complaints).toEqual([
      'the whole run contained no preview token, so the search proves nothing',
    ]);
  });

  const leak = 'b.test.ts: password in answer (GET /x)';
  const constant = 'Site.isActive: one value';
  const sitePaths = (expectedKeys()['sites.list'] ?? []).map(({ path: at }) => at);
  const oneValue = ['hash', 2];

  /** A reporter's run over planted records. */
  interface Planted {
    readonly records: readonly object[];
    /** What the answers said of `Site.isActive`. */
    readonly isActive: unknown;
    readonly counts: string;
    readonly complaints: readonly string[];
    /** Test files that were named, instead of a whole run. */
    readonly files?: readonly string[];
    /** The text of a suite that was skipped. */
    readonly skipped?: string;
    /** What an earlier whole run noted of `Site.isActive` in another suite. */
    readonly earlier?: unknown;
  }

  const answersOf = (suite: string, isActive: unknown) => {
    const keys = { ...Object.fromEntries(sitePaths.map((at) => [at, true])), 'data[].isActive': isActive };
    return { suite, seen: { 'sites.list': { answers: 2, keys } } };
  };

  it.each<Planted>([
    { records: [good], isActive: true, counts: '7 0 0', complaints: [] },
    { records: [good, bad], isActive: true, counts: '6 1 0', complaints: [leak] },
    { records: [good], isActive: oneValue, counts: '6 1 0', complaints: [constant] },
    { records: [good, bad], isActive: oneValue, counts: '5 2 0', complaints: [leak, constant] },
    { records: [good], isActive: oneValue, counts: '6 0 0', complaints: [], files: ['a.test.ts'] },
    {
      records: [good],
      isActive: oneValue,
      counts: '7 0 3',
      complaints: [],
      skipped: "await desk.get('/sites');",
    },
    {
      records: [good],
      isActive: oneValue,
      counts: '6 1 3',
      complaints: [constant],
      skipped: "await desk.get('/redirects');",
    },
    {
      records: [],
      isActive: oneValue,
      counts: '7 0 0',
      complaints: [],
      files: ['b.test.ts'],
      earlier: true,
    },
    {
      records: [],
      isActive: oneValue,
      counts: '6 1 0',
      complaints: [constant],
      files: ['b.test.ts'],
      earlier: oneValue,
    },
  ])(
    'fails a run as one test each: $counts, skipped: $skipped, earlier: $earlier',
    async ({ records, isActive, counts, complaints, files = [], skipped, earlier }) => {
      const directory = await mkdtemp(path.join(tmpdir(), 'headwater-verdict-'));
      const within = (...names: string[]) => path.join(directory, ...names);
      try {
        for (const name of ['secrets', 'answers', 'test', 'earlier']) await mkdir(within(name));
        for (const [index, record] of records.entries())
          await writeFile(within('secrets', `${index}.json`), JSON.stringify(record));
        await writeFile(within('answers', 'one.json'), JSON.stringify(answersOf('b.test.ts', isActive)));
        await writeFile(within('test', 'skipped.test.ts'), skipped ?? '');
        if (earlier !== undefined) {
          const of = { secrets: [good], answers: [answersOf('a.test.ts', earlier)] };
          await writeFile(within('earlier', 'records.json'), JSON.stringify(of));
        }
        const reporter = pathToFileURL(path.resolve(import.meta.dirname, '../support/run-reporter.js')).href;
        const pending = skipped === undefined ? 0 : 3;
        const results = {
          numPassedTests: 5,
          numFailedTests: 0,
          numRuntimeErrorTestSuites: 0,
          numPendingTests: pending,
          numTodoTests: 0,
          testResults: [{ testFilePath: within('test', 'skipped.test.ts'), numPendingTests: pending }],
        };
        const script = `import { readFileSync } from 'node:fs';
        import Reporter from ${JSON.stringify(reporter)};
        const run = new Reporter({ nonFlagArgs: ${JSON.stringify(files)} }, { judgesAnswers: true });
        await run.onRunComplete(undefined, ${JSON.stringify(results)});
        process.exitCode = run.getLastError() === undefined ? 0 : 3;
        console.log(readFileSync(process.env.HEADWATER_TEST_SUMMARY, 'utf8'));`;
        const env = {
          ...process.env,
          HEADWATER_SECRET_RECORDS: within('secrets'),
          HEADWATER_ANSWER_RECORDS: within('answers'),
          HEADWATER_ANSWER_REPORT: '',
          HEADWATER_TEST_RECORDS: earlier === undefined ? '' : within('earlier'),
          HEADWATER_TEST_SUMMARY: within('summary'),
        };
        const args = ['--input-type=module', '-e', script];
        const ended = await promisify(execFile)(process.execPath, args, { env }).then(
          ({ stdout }) => ({ code: 0, text: stdout }),
          (error: { code: number; stdout: string; stderr: string }) => ({
            code: error.code,
            text: error.stderr + error.stdout,
          }),
        );
        expect(ended.text).toContain(counts);
        expect([leak, constant].filter((line) => ended.text.includes(line))).toEqual(complaints);
        expect(ended.code).toBe(complaints.length > 0 ? 3 : 0);
      } finally {
        await rm(directory, { recursive: true });
      }
    },
  );
});
