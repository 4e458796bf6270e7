import process from 'node:process';
import { importHelp, importUsage, runImportCommand } from '../import/exports/import-command.js';
import { runSchemaCommand, schemaHelp, schemaUsage } from '../schema/schema-command.js';
import { runWaitCommand, waitHelp, waitUsage } from '../environments/wait-command.js';
import { runSyncCommand, syncHelp, syncUsage } from '../sync/sync-command.js';
import { runTypesCommand, typesHelp, typesUsage } from '../types/types-command.js';

const operations = `
The first writes TypeScript types of a project's GraphQL schema, the second keeps the schema of a project in a file,
the third waits for the job of an environment, the fourth mirrors a site into a folder, the fifth imports the export of
another system.

Commands of the installation, each with --help, such as npm run import -- --help:

  npm start               starts the service
  npm run migrate         applies migrations
  npm run doctor          checks the installation and says what to do
  npm run monitoring      prints alert rules and a dashboard
  npm run create-admin    creates a super-admin
  npm run seed            loads the demo project
  npm run import          imports pages from a file
  npm run rebuild         checks or rebuilds the read model
  npm run reindex         indexes every entry for search again
  npm run audit           verifies the audit chains
  npm run backup          backs up the database to a file
  npm run restore         restores a backup into an empty database
  npm run media           checks and repairs the files of media
  npm run build:client    makes the package for TypeScript clients`;

const terminal = {
  directory: process.cwd(),
  print: (text: string) => process.stdout.write(text),
};

/** Commands for users of a running service. */
async function main([command, ...options]: readonly string[]): Promise<void> {
  const isHelp = options.includes('--help');
  if (command === 'types') {
    if (isHelp) console.log(typesHelp.trim());
    else await runTypesCommand(options, terminal);
    return;
  }
  if (command === 'schema') {
    if (isHelp) console.log(schemaHelp.trim());
    else process.exitCode = await runSchemaCommand(options, terminal);
    return;
  }
  if (command === 'wait') {
    if (isHelp) console.log(waitHelp.trim());
    else process.exitCode = await runWaitCommand(options, { ...terminal, progress: process.stderr });
    return;
  }
  if (command === 'sync') {
    if (isHelp) console.log(syncHelp.trim());
    else await runSyncCommand(options, terminal);
    return;
  }
  if (command === 'import') {
    if (isHelp) console.log(importHelp.trim());
    else process.exitCode = await runImportCommand(options, { ...terminal, progress: process.stderr });
    return;
  }
  const usages = [typesUsage, schemaUsage, waitUsage, syncUsage, importUsage].join('\n       ');
  console.log(`Usage: ${usages}\n${operations}`);
  if (command !== undefined && command !== '--help') process.exitCode = 1;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`headwater: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
