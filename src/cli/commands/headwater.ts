import process from 'node:process';
import { runTypesCommand, typesHelp, typesUsage } from '../types/types-command.js';

const operations = `
Writes TypeScript types of a project's GraphQL schema.

Commands of the installation, each with --help, such as npm run import -- --help:

  npm start               starts the service
  npm run migrate         applies migrations
  npm run create-admin    creates a super-admin
  npm run seed            loads the demo project
  npm run import          imports pages from a file
  npm run rebuild         checks or rebuilds the read model
  npm run audit           verifies the audit chains
  npm run backup          backs up the database to a file
  npm run restore         restores a backup into an empty database
  npm run media           checks and repairs the files of media
  npm run build:client    makes the package for TypeScript clients`;

/** Commands for users of a running service. */
async function main([command, ...options]: readonly string[]): Promise<void> {
  if (command === 'types') {
    if (options.includes('--help')) {
      console.log(typesHelp.trim());
      return;
    }
    await runTypesCommand(options, {
      directory: process.cwd(),
      print: (text) => process.stdout.write(text),
    });
    return;
  }
  console.log(`Usage: ${typesUsage}\n${operations}`);
  if (command !== undefined && command !== '--help') process.exitCode = 1;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`headwater: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
