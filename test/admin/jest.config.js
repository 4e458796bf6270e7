import service from '../../jest.config.js';

/** Tests of the admin app and of the pages for people, most of them in a browser, and those of the app's modules. */
export default {
  ...service,
  testMatch: ['<rootDir>/test/admin/**/*.test.ts', '<rootDir>/src/admin/**/*.test.ts'],
  testPathIgnorePatterns: [],
  reporters: ['default', '<rootDir>/test/support/run-reporter.js'],
};
