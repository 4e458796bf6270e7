import service from '../../jest.config.js';

/** Tests of the admin app and of the pages for people, most of them in a browser, and those of the app's modules. */
export default {
  ...service,
  testMatch: ['<rootDir>/test/admin/**/*.test.ts', '<rootDir>/src/admin/**/*.test.ts'],
  testPathIgnorePatterns: [],
  // The steps of a browser test have limits of 30 s of their own, which say what was waited for. On a machine with other
  // work, a whole test needs several times as long as alone.
  testTimeout: 120_000,
  reporters: ['default', '<rootDir>/test/support/run-reporter.js'],
};
