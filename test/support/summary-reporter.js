import { writeFileSync } from 'node:fs';

/**
 * Writes `passed failed skipped` to the file that `HEADWATER_TEST_SUMMARY` names. A test file that could not even
 * be loaded counts as one failure.
 */
export default class SummaryReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    writeFileSync(process.env.HEADWATER_TEST_SUMMARY, `${results.numPassedTests} ${failed} ${skipped}\n`);
  }
}
