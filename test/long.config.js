import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import service from '../jest.config.js';

const { rootDir } = service;

const modules = globSync('test/**/*.ts', { cwd: rootDir }).map((name) => ({
  name,
  text: readFileSync(path.join(rootDir, name), 'utf8'),
}));
const takesSample = ({ text }) => text.includes('support/extent.js');
const parts = modules.filter((one) => takesSample(one) && !one.name.endsWith('.test.ts'));
const hasPart = ({ name, text }) =>
  parts.some(
    (part) =>
      path.dirname(part.name) === path.dirname(name) &&
      text.includes(`'./${path.basename(part.name, '.ts')}.js'`),
  );

/** Suites that take a sample in the usual run, by themselves or in a module beside them. */
const sampling = modules
  .filter((one) => one.name.endsWith('.test.ts') && (takesSample(one) || hasPart(one)))
  .map(({ name }) => name);

process.env.HEADWATER_TEST_EXTENT = 'all';

/** Complete checks: exhaustive, large or repeated ones, of which the usual run takes a sample. */
export default {
  ...service,
  testMatch: ['<rootDir>/test/**/*.long.test.ts', ...sampling.map((name) => `<rootDir>/${name}`)],
  testPathIgnorePatterns: [],
  reporters: ['default', '<rootDir>/test/support/run-reporter.js'],
  testTimeout: 600_000,
};
