import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import service from '../jest.config.js';

const { rootDir } = service;

/** Suites that take a sample in the usual run. */
const sampling = globSync('test/**/*.test.ts', { cwd: rootDir }).filter((name) =>
  readFileSync(path.join(rootDir, name), 'utf8').includes('support/extent.js'),
);

process.env.HEADWATER_TEST_EXTENT = 'all';

/** Complete checks: exhaustive, large or repeated ones, of which the usual run takes a sample. */
export default {
  ...service,
  testMatch: ['<rootDir>/test/**/*.long.test.ts', ...sampling.map((name) => `<rootDir>/${name}`)],
  testPathIgnorePatterns: [],
  reporters: ['default', '<rootDir>/test/support/run-reporter.js'],
  testTimeout: 600_000,
};
