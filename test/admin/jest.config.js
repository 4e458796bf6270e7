import service from '../../jest.config.js';

/** Tests of the admin app and of the pages for people, most of them in a browser, and those of the app's modules. */
export default {
  ...service,
  testMatch: ['<rootDir>/test/admin/**/*.test.ts', '<rootDir>/src/admin/**/*.test.ts'],
  testPathIgnorePatterns: [],
  // Each browser step has a timeout of 30 s, and its error names the step. On a busy machine a whole test takes several
  // times as long as on an idle one.
  testTimeout: 120_000,
  reporters: ['default', '<rootDir>/test/support/run-reporter.js'],
};
