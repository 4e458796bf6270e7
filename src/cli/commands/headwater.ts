import process from 'node:process';
import { runTypesCommand, typesUsage } from '../types/types-command.js';

/** Commands for users of a running service. */
async function main([command, ...options]: readonly string[]): Promise<void> {
  if (command === 'types') {
    await runTypesCommand(options, {
      directory: process.cwd(),
      print: (text) => process.stdout.write(text),
    });
    return;
  }
  console.log(`Usage: ${typesUsage}`);
  if (command !== undefined && command !== '--help') process.exitCode = 1;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`headwater: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
