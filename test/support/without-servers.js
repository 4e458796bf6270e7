import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';

/**
 * Runs the tests that use an optional server as on a machine that has none of them. After a whole run with
 * `HEADWATER_TEST_RECORDS` they are judged with the records of the others, as if all had run.
 */
const servers = fileURLToPath(new URL('./optional-servers.ts', import.meta.url));
const { withoutServers } = await tsImport('./optional-servers.ts', import.meta.url);
const jest = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url));
const args = ['--experimental-vm-modules', '--no-warnings', jest, '--findRelatedTests', servers];
const env = { ...process.env, ...withoutServers };
const { status } = spawnSync(process.execPath, [...args, ...process.argv.slice(2)], {
  env,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
