import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { withNpmPackages } from '../support/installed-packages.js';
import { readManifests, type Manifest } from './manifests.js';

const folder = await withNpmPackages(path.join(import.meta.dirname, 'kubernetes'));
const manifests = await readManifests();

afterAll(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

type Model = new (data: unknown) => { validate(): void };
const moduleOf = ({ apiVersion, kind }: Manifest): string => `kubernetes-models/${apiVersion}/${kind}`;

async function validate(manifest: Manifest): Promise<void> {
  const file = path.join(folder ?? '', 'node_modules', `${moduleOf(manifest)}.js`);
  const loaded = (await import(pathToFileURL(file).href)) as Readonly<Record<string, Model>>;
  const model = loaded[manifest.kind];
  if (model === undefined) throw new Error(`There is no schema of ${manifest.kind}.`);
  new model(manifest).validate();
}

/** Problems of the types of Kubernetes, which also know no other fields. */
async function typeProblems(list: readonly Manifest[]): Promise<string> {
  const lines = list.map((manifest, index) => {
    const name = `I${manifest.kind}`;
    const value = JSON.stringify(manifest);
    return `import type { ${name} as T${String(index)} } from '${moduleOf(manifest)}';\nexport const m${String(index)}: T${String(index)} = ${value};`;
  });
  await writeFile(path.join(folder ?? '', 'manifests.ts'), lines.join('\n'));
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
  ];
  try {
    execFileSync(
      process.execPath,
      [path.resolve('node_modules/typescript/bin/tsc'), ...options, 'manifests.ts'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    return '';
  } catch (failure) {
    return (failure as { stdout: string }).stdout;
  }
}

const [job] = manifests.filter(({ kind }) => kind === 'Job');

(folder === undefined ? describe.skip : describe)(
  'The manifests for Kubernetes (needs the schemas of kubernetes-models)',
  () => {
    it.each(manifests.map((one) => [`${one.kind} ${one.metadata.name}`, one] as const))(
      'have a valid %s',
      async (_name, manifest) => {
        await expect(validate(manifest)).resolves.toBeUndefined();
      },
    );

    it('have no fields that Kubernetes does not know', async () => {
      expect(await typeProblems(manifests)).toBe('');
    });

    it('would be refused with a wrong value or an unknown field', async () => {
      if (job === undefined) throw new Error('The manifests have no job.');
      await expect(validate({ ...job, spec: {} })).rejects.toThrow('template');
      const misspelled = { ...job, spec: { ...job.spec, backofLimit: 3 } } as Manifest;
      expect(await typeProblems([misspelled])).toContain('backofLimit');
    });
  },
);
