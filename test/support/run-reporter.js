import { writeFileSync } from 'node:fs';
import { tsImport } from 'tsx/esm/api';

const isWholeRun = ({ nonFlagArgs, testNamePattern, shard, onlyChanged, onlyFailures }) =>
  nonFlagArgs.length === 0 && !testNamePattern && !shard && !onlyChanged && !onlyFailures;

const advice =
  'Let a test give each key a second value, or list it in test/support/answers/constant-keys.ts with the reason (test/README.md).';

/**
 * Fails the run, as one test each, when a suite leaked a secret, and when keys of answers never changed in a whole run. Writes `passed failed skipped` to the file named by
 * `HEADWATER_TEST_SUMMARY`; a test file that cannot be loaded counts as one failure.
 */
export default class RunReporter {
  #error;

  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async onRunComplete(_contexts, results) {
    const { judge, readRecords } = await tsImport('./secrets/watch-records.ts', import.meta.url);
    const records = await readRecords(process.env.HEADWATER_SECRET_RECORDS);
    const { complaints, summary } = judge(records, isWholeRun(this.globalConfig));
    const isClean = complaints.length === 0;
    if (isClean) console.log(`Secrets: ${summary}; no leaks found.`);
    else this.#fail([`FAIL Secrets: ${summary}. Failures:`, ...complaints].join('\n  '));
    this.#summarize(results, [isClean, ...(await this.#judgeAnswers())]);
  }

  /**
   * Judges the keys of answers after a whole run. Lists those that took fewer than two values in the file named by
   * `HEADWATER_ANSWER_REPORT`, after any run.
   */
  async #judgeAnswers() {
    const file = process.env.HEADWATER_ANSWER_REPORT;
    const isWhole = isWholeRun(this.globalConfig);
    if (!file && !isWhole) return [];
    const { reportAnswers } = await tsImport('./answers/answer-report.ts', import.meta.url);
    const { summary, missing, needless } = await reportAnswers(process.env.HEADWATER_ANSWER_RECORDS);
    if (file) writeFileSync(file, missing.map((line) => `${line}\n`).join(''));
    const isVaried = missing.length === 0;
    if (isVaried || !isWhole) console.log(`Answers: ${summary}.`);
    else this.#fail([`FAIL Answers: ${summary}. ${advice}`, ...missing].join('\n  '));
    if (needless.length > 0) console.log(`Exceptions that took two values: ${needless.join(', ')}.`);
    return isWhole ? [isVaried] : [];
  }

  getLastError() {
    return this.#error;
  }

  /** Jest fails the run for the error without printing it. */
  #fail(text) {
    console.error(text);
    this.#error ??= new Error(text);
  }

  /** @param verdicts whether each of the reporter's own tests passed */
  #summarize(results, verdicts) {
    const file = process.env.HEADWATER_TEST_SUMMARY;
    if (!file) return;
    const good = verdicts.filter((verdict) => verdict).length;
    const passed = results.numPassedTests + good;
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + verdicts.length - good;
    writeFileSync(file, `${passed} ${failed} ${results.numPendingTests + results.numTodoTests}\n`);
  }
}
