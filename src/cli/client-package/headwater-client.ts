import process from 'node:process';
import { runTypesCommand, typesHelp } from '../types/types-command.js';

/** The command of the client package. */
async function main([command, ...options]: readonly string[]): Promise<void> {
  if (command !== 'types' || options.includes('--help')) {
    process.stdout.write(typesHelp);
    if (command !== undefined && command !== 'types' && command !== '--help') process.exitCode = 1;
    return;
  }
  await runTypesCommand(options, {
    directory: process.cwd(),
    print: (text) => process.stdout.write(text),
  });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`headwater: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
