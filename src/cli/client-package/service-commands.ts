import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { diffHelp, diffUsage, runDiffCommand } from '../export/diff-exports.js';
import { exportHelp, exportUsage, runExportCommand } from '../export/export-command.js';
import { projectImportHelp, projectImportUsage, runProjectImport } from '../export/import-project.js';
import { initHelp, initUsage, runInitCommand } from './init-command.js';
import { importHelp, importUsage, runImportCommand } from '../import/exports/import-command.js';
import { runSchemaCommand, schemaHelp, schemaUsage } from '../schema/schema-command.js';
import { runWaitCommand, waitHelp, waitUsage } from '../environments/wait-command.js';
import { runSyncCommand, syncHelp, syncUsage } from '../sync/sync-command.js';
import { runTypesCommand, typesHelp, typesUsage } from '../types/types-command.js';

const terminal = {
  directory: process.cwd(),
  print: (text: string) => process.stdout.write(text),
  progress: process.stderr,
};

interface ServiceCommand {
  readonly usage: string;
  readonly help: string;
  /** @returns the exit code, if it is not 0 */
  run(options: readonly string[]): Promise<number | undefined | void>;
}

/** Commands for users of a running service, of an installation and of the client package alike. */
const commands: Readonly<Record<string, ServiceCommand>> = {
  types: { usage: typesUsage, help: typesHelp, run: (options) => runTypesCommand(options, terminal) },
  schema: { usage: schemaUsage, help: schemaHelp, run: (options) => runSchemaCommand(options, terminal) },
  wait: { usage: waitUsage, help: waitHelp, run: (options) => runWaitCommand(options, terminal) },
  sync: { usage: syncUsage, help: syncHelp, run: (options) => runSyncCommand(options, terminal) },
  export: { usage: exportUsage, help: exportHelp, run: (options) => runExportCommand(options, terminal) },
  diff: { usage: diffUsage, help: diffHelp, run: (options) => runDiffCommand(options, terminal) },
  init: { usage: initUsage, help: initHelp, run: (options) => runInitCommand(options, terminal) },
  import: {
    usage: `${importUsage}\n       ${projectImportUsage}`,
    help: `${importHelp}\n${projectImportHelp}`,
    run: ([system, ...options]) => {
      // By default, garbage may become three times as large as what an import keeps in memory.
      setFlagsFromString('--heap-growing-percent=50');
      return system === 'project'
        ? runProjectImport(options, terminal)
        : runImportCommand(system === undefined ? [] : [system, ...options], terminal);
    },
  },
};

export const serviceUsages = Object.values(commands)
  .map(({ usage }) => usage)
  .join('\n       ');

/** What the commands do, in the order of their usages. */
export const serviceSummary = `
The first writes TypeScript types of a project's content, the second keeps the schema of a project in a file,
the third waits for the job of an environment, the fourth mirrors a site into a folder, the fifth exports a project, the
sixth compares two exports, the seventh writes a site into an empty folder, the eighth imports the export of another system, or of a project.
`;

/** @param usage printed for a name that is no command */
async function run([name = '', ...options]: readonly string[], usage: string): Promise<number | undefined> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    process.stdout.write(usage);
    return name === '' || name === '--help' ? 0 : 1;
  }
  if (!options.includes('--help')) return (await command.run(options)) ?? undefined;
  process.stdout.write(`${command.help.trim()}\n`);
}

/** Runs the command that the process was started with, and sets its exit code. */
export function runServiceCommand(usage: string): void {
  run(process.argv.slice(2), usage)
    .then((code) => {
      if (code !== undefined) process.exitCode = code;
    })
    .catch((error: unknown) => {
      process.stderr.write(`headwater: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    });
}
