import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

export const NEXT_VERSION = '0.2.0';
export const NEXT_MIGRATION = '9000-next';

/**
 * What a next release may change: columns, an index and a table are added. It fails while the table `not_yet` exists,
 * after its other statements.
 */
const step = `export const next = {
  name: '${NEXT_MIGRATION}',
  up: \`
    ALTER TABLE tenants ADD COLUMN added_later text;
    ALTER TABLE entries ADD COLUMN added_later int NOT NULL DEFAULT 7;
    ALTER TABLE entry_locales ADD COLUMN added_later text;
    CREATE INDEX added_later_index ON entries (environment_id, added_later);
    CREATE TABLE added_later (id uuid PRIMARY KEY, note text);
    DO $do$ BEGIN IF to_regclass('public.not_yet') IS NOT NULL THEN RAISE EXCEPTION 'not yet'; END IF; END $do$;
  \`,
  down: '',
};
`;

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const before = await readFile(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`${file} is not as the test expects it.`);
  await writeFile(file, after);
}

/** The sources of this checkout with a higher version and one migration more. */
export async function makeNextRelease(folder: string): Promise<string> {
  await mkdir(folder);
  for (const name of ['contracts', 'openapi', 'src'])
    await cp(name, path.join(folder, name), { recursive: true });
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'CHANGELOG.md'])
    await cp(name, path.join(folder, name));
  // The admin app of the same sources is taken from the earlier build.
  for (const name of ['node_modules', 'dist']) await symlink(path.resolve(name), path.join(folder, name));
  const steps = path.join(folder, 'src/persistence/migrations/steps');
  await writeFile(path.join(steps, `${NEXT_MIGRATION}.ts`), step);
  await edit(path.join(steps, 'index.ts'), (text) =>
    `import { next } from "./${NEXT_MIGRATION}.js";\n${text}`.replace(/\] as const;/, '  next,\n] as const;'),
  );
  await edit(path.join(folder, 'package.json'), (text) =>
    text.replace(/"version": "[^"]+"/, `"version": "${NEXT_VERSION}"`),
  );
  return folder;
}
