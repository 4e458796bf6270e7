/**
 * Tests of the service. They run as ES modules against one PostgreSQL, which the global setup starts. Tests of the pages
 * in a browser and long tests have configurations of their own, `test/admin/jest.config.js` and `test/long.config.js`.
 */
export default {
  rootDir: import.meta.dirname,
  // Share the modules of the product between the files of a worker; without these two lines every file loads its own.
  runtime: '<rootDir>/test/support/shared-runtime.js',
  testEnvironment: '<rootDir>/test/support/shared-environment.js',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['<rootDir>/test/admin/', '\\.long\\.test\\.ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: true },
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/.data/', '<rootDir>/dist/'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  reporters: ['default', ['<rootDir>/test/support/run-reporter.js', { judgesAnswers: true }]],
  // The slowest tests take up to 20 s on an idle machine, and three times as long on a busy one.
  testTimeout: 60_000,
  testSequencer: '<rootDir>/test/support/slow-first.js',
  // One more than the two cores that the run is made for: a worker often waits for PostgreSQL, a process or a limit.
  maxWorkers: 3,
  // A worker that starts again when the run ends has not loaded the code that ends it.
  workerGracefulExitTimeout: 10_000,
  // A worker above this starts again, which takes about 3 s.
  workerIdleMemoryLimit: '1.5GB',
};
