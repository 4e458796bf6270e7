import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../infrastructure/errno.js';
import { appRouter, boundOperations } from '../../procedures/index.js';
import { systemSdl } from '../../surfaces/graphql/project/root-field.js';
import { mcpToolsDocument } from '../../surfaces/mcp/mcp-server.js';
import { buildOpenApiDocument } from '../../surfaces/rest/openapi/openapi-document.js';
import { version, settingDescriptions } from '../../process/config/config.js';

const json = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** Every setting with its meaning, commented out. */
function settingsExample(): string {
  const parts = Map.groupBy(settingDescriptions, ({ part }) => part);
  const lines = [...parts.values()].map((settings) =>
    settings
      .map(
        ({ name, defaultValue, meaning }) => `# ${meaning.replaceAll('`', '')}\n# ${name}=${defaultValue}\n`,
      )
      .join(''),
  );
  const head = '# Settings of the service. Copy this file to .env, and remove the # from what you set.\n';
  return [head, ...lines].join('\n');
}

const migrationSteps = 'src/persistence/migrations/steps';
const stepName = /^\d{4}-.*(?=\.ts$)/;
const stepExport = /^export const (\w+): Migration = /m;

/** Imports every step of the folder, in the order of the numbers. */
async function migrationList(root: string): Promise<string> {
  const folder = path.join(root, migrationSteps);
  const names = (await readdir(folder)).flatMap((file) => stepName.exec(file)?.[0] ?? []).toSorted();
  const steps = await Promise.all(
    names.map(async (name) => {
      const [, step] = stepExport.exec(await readFile(path.join(folder, `${name}.ts`), 'utf8')) ?? [];
      if (step === undefined) throw new Error(`${name} exports no step`);
      return { name, step };
    }),
  );
  const imports = steps.map(({ name, step }) => `import { ${step} } from './${name}.js';`);
  const head = '/** Oldest first. A landed step never changes; a later one fixes it. */';
  const list = steps.map(({ step }) => `  ${step},`);
  return [...imports, '', head, 'export const migrations = [', ...list, '] as const;', ''].join('\n');
}

/** Content by path from the root of the repository. Deterministic. */
export async function buildGeneratedFiles(root: string): Promise<Map<string, string>> {
  return new Map([
    ['openapi/openapi.json', json(buildOpenApiDocument(appRouter, { version }))],
    ['openapi/system.graphql', systemSdl()],
    ['openapi/mcp-tools.json', json(mcpToolsDocument(boundOperations(appRouter)))],
    ['.env.example', settingsExample()],
    [`${migrationSteps}/index.ts`, await migrationList(root)],
  ]);
}

export async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

export async function staleFiles(root: string, files: ReadonlyMap<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const [name, content] of files) {
    if ((await contentOf(path.join(root, name))) !== content) stale.push(name);
  }
  return stale;
}

export const settingsPage = 'src/process/README.md';

const region = /(<!-- settings: [^>]*-->\n)[\s\S]*?(<!-- \/settings -->)/;

/** Padded as the formatter pads it. */
function settingsTable(): string {
  const rows = settingDescriptions.map(({ name, defaultValue, meaning }) => [
    `\`${name}\``,
    defaultValue || '–',
    meaning,
  ]);
  const lines = [['Setting', 'Default', 'Meaning'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const row = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [row(head), row(widths.map((width) => '-'.repeat(width))), ...body.map(row)].join('\n');
}

/** Replaces the table of settings in the page. */
export function withSettingsTable(page: string): string {
  return page.replace(
    region,
    (_match, start: string, end: string) => `${start}\n${settingsTable()}\n\n${end}`,
  );
}
