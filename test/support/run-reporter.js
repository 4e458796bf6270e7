import { writeFileSync } from 'node:fs';
import { tsImport } from 'tsx/esm/api';

/** Whether nothing narrows the run down to some of the tests. */
const isWholeRun = ({ nonFlagArgs, testNamePattern, shard, onlyChanged, onlyFailures }) =>
  nonFlagArgs.length === 0 && !testNamePattern && !shard && !onlyChanged && !onlyFailures;

/**
 * Ends a run with a look at what all suites left behind: secrets in places where none may stand fail the run, and
 * count as one test. Writes `passed failed skipped` to the file that `HEADWATER_TEST_SUMMARY` names, if it does; a
 * test file that could not even be loaded counts as one failure.
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
    if (isClean) console.log(`Secrets: ${summary}; none stands where it may not.`);
    else this.#fail([`FAIL Secrets: ${summary}; not as it must be:`, ...complaints].join('\n  '));
    this.#summarise(results, isClean);
  }

  getLastError() {
    return this.#error;
  }

  /** Jest lets the run fail for the error, and does not show it. */
  #fail(text) {
    console.error(text);
    this.#error = new Error(text);
  }

  #summarise(results, isClean) {
    const file = process.env.HEADWATER_TEST_SUMMARY;
    if (!file) return;
    const passed = results.numPassedTests + (isClean ? 1 : 0);
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + (isClean ? 0 : 1);
    writeFileSync(file, `${passed} ${failed} ${results.numPendingTests + results.numTodoTests}\n`);
  }
}
