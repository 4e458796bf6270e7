import { writeFileSync } from 'node:fs';
import { tsImport } from 'tsx/esm/api';

const isWholeRun = ({ nonFlagArgs, testNamePattern, shard, onlyChanged, onlyFailures, findRelatedTests }) =>
  nonFlagArgs.length === 0 &&
  !testNamePattern &&
  !shard &&
  !onlyChanged &&
  !onlyFailures &&
  !findRelatedTests;

const advice =
  'Let a test give each key a second value, or list it in test/support/answers/constant-keys.ts with the reason (test/README.md).';

/**
 * Fails the run, as one test each, when a suite leaked a secret, and when keys of answers never changed in a whole
 * run. Writes `passed failed skipped` to the file named by `HEADWATER_TEST_SUMMARY`; a test file that cannot be loaded
 * counts as one failure. `judgesAnswers` is for the configuration whose suites call every operation: with
 * `HEADWATER_TEST_RECORDS` its whole runs leave their records, with which later runs of some files are judged.
 */
export default class RunReporter {
  #error;

  constructor(globalConfig, { judgesAnswers = false } = {}) {
    this.globalConfig = globalConfig;
    this.judgesAnswers = judgesAnswers;
  }

  async onRunComplete(_contexts, results) {
    const { judgeRun } = await tsImport('./judge-run.ts', import.meta.url);
    const { secrets, answers, isWhole } = await judgeRun({
      isWhole: this.judgesAnswers && isWholeRun(this.globalConfig),
      folder: this.judgesAnswers ? process.env.HEADWATER_TEST_RECORDS : undefined,
      isReported: Boolean(process.env.HEADWATER_ANSWER_REPORT),
      suites: results.testResults.map(({ testFilePath, numPendingTests, skipped }) => ({
        file: testFilePath,
        isSkipped: skipped || numPendingTests > 0,
      })),
    });
    const isClean = secrets.complaints.length === 0;
    if (isClean) console.log(`Secrets: ${secrets.summary}; no leaks found.`);
    else this.#fail([`FAIL Secrets: ${secrets.summary}. Failures:`, ...secrets.complaints].join('\n  '));
    this.#summarize(results, [isClean, ...this.#judgeAnswers(answers, isWhole)]);
  }

  /**
   * Judges the keys of answers after a whole run. Lists those that took fewer than two values in the file named by
   * `HEADWATER_ANSWER_REPORT`, after any run.
   */
  #judgeAnswers(report, isWhole) {
    if (report === undefined) return [];
    const { summary, missing, needless } = report;
    const file = process.env.HEADWATER_ANSWER_REPORT;
    if (file) writeFileSync(file, missing.map((line) => `${line}\n`).join(''));
    const isVaried = missing.length === 0;
    if (isWhole && !isVaried) this.#fail([`FAIL Answers: ${summary}. ${advice}`, ...missing].join('\n  '));
    else if (isWhole || file) console.log(`Answers: ${summary}.`);
    if (isWhole && needless.length > 0)
      console.log(`Exceptions that took two values: ${needless.join(', ')}.`);
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
