import { writeFileSync } from 'node:fs';
import { tsImport } from 'tsx/esm/api';

const isWholeRun = ({ nonFlagArgs, testNamePattern, shard, onlyChanged, onlyFailures }) =>
  nonFlagArgs.length === 0 && !testNamePattern && !shard && !onlyChanged && !onlyFailures;

/**
 * Fails the run, as one test, when a suite leaked a secret. Writes `passed failed skipped` to the file named by
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
    this.#summarize(results, isClean);
    await this.#reportAnswers();
  }

  /** Lists the keys of answers that took fewer than two values, in the file named by `HEADWATER_ANSWER_REPORT`. */
  async #reportAnswers() {
    const file = process.env.HEADWATER_ANSWER_REPORT;
    if (!file) return;
    const { reportAnswers } = await tsImport('./answers/answer-report.ts', import.meta.url);
    const folder = process.env.HEADWATER_ANSWER_RECORDS;
    const { summary, missing } = await reportAnswers(folder, isWholeRun(this.globalConfig));
    writeFileSync(file, missing.map((line) => `${line}\n`).join(''));
    console.log(`Answers: ${summary}; see ${file}.`);
  }

  getLastError() {
    return this.#error;
  }

  /** Jest fails the run for the error without printing it. */
  #fail(text) {
    console.error(text);
    this.#error = new Error(text);
  }

  #summarize(results, isClean) {
    const file = process.env.HEADWATER_TEST_SUMMARY;
    if (!file) return;
    const passed = results.numPassedTests + (isClean ? 1 : 0);
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + (isClean ? 0 : 1);
    writeFileSync(file, `${passed} ${failed} ${results.numPendingTests + results.numTodoTests}\n`);
  }
}
