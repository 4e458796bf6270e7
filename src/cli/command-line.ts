import process from 'node:process';
import { describeStartupFailure } from '../process/run/shutdown.js';

/** Wrong arguments: the command's help follows the message. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));

/**
 * Runs a command. `--help` prints its help instead; a failure is one line and exit code 1.
 * @param help starts with the usage
 */
export function runCommand(help: string, main: () => Promise<void>): void {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(`${help.trim()}\n`);
    return;
  }
  main().catch((error: unknown) => {
    process.stderr.write(`headwater: ${describeStartupFailure(error)}\n`);
    if (isUsageError(error)) process.stderr.write(`\n${help.trim()}\n`);
    process.exitCode = 1;
  });
}
