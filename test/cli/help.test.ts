import { describe, expect, it } from '@jest/globals';
import { runCommand } from '../support/service-process.js';
import packageJson from '../../package.json' with { type: 'json' };

/** Help is printed before the database is opened. */
const nowhere = 'postgres://nobody@127.0.0.1:1/none';

const commands = Object.entries(packageJson.scripts).flatMap(([script, line]) => {
  const name = /node (?:--\S+ )*dist\/([a-z-]+)\.js$/.exec(line)?.[1];
  return name === undefined || name === 'main' ? [] : [{ script, name }];
});

describe('Help of the commands', () => {
  it.each(commands)('npm run $script -- --help prints the usage', async ({ script, name }) => {
    const { code, output } = await runCommand(nowhere, [name, '--help']);
    expect([code, output]).toEqual([0, expect.stringContaining(`Usage: npm run ${script}`)]);
  });

  it('headwater --help names every command of the installation with --help', async () => {
    const { code, output } = await runCommand(nowhere, ['headwater', '--help']);
    expect(code).toBe(0);
    const named = commands.filter(({ script }) => script !== 'generate');
    expect(named.filter(({ script }) => !output.includes(`npm run ${script} `))).toEqual([]);
    expect((await runCommand(nowhere, ['headwater', 'types', '--help'])).output).toContain('--check');
    expect((await runCommand(nowhere, ['headwater', 'import', '--help'])).output).toContain('--dry-run');
  });

  it('wrong arguments print the reason and the usage', async () => {
    for (const args of [['import', '--proj', 'x'], ['backup'], ['create-admin', '--email', 'x']] as const) {
      const { code, output } = await runCommand(nowhere, [...args]);
      expect([code, output]).toEqual([1, expect.stringMatching(/^headwater: .*\n\nUsage: npm run /)]);
    }
  });
});
