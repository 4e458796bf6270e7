import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runSchemaCommand } from '../../src/cli/schema/schema-command.js';
import { createArticleTypes, createEntry } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { useApp } from '../support/desk.js';

const app = useApp();
let project: TestProject;
let folder: string;

beforeAll(async () => {
  project = await createProject(app());
  await createArticleTypes(app(), project);
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-schema-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs the command; returns its exit code and its output or failure. */
async function run(command: string, ...options: string[]): Promise<{ code: number; output: string }> {
  let output = '';
  const print = (text: string): void => {
    output += text;
  };
  const { baseUrl } = app();
  const address = ['--url', `${baseUrl}${project.management}`, '--key', project.keys.management];
  try {
    const code = await runSchemaCommand([command, ...address, ...options], { directory: folder, print });
    return { code, output };
  } catch (error) {
    return { code: 1, output: (error as Error).message };
  }
}

const file = () => path.join(folder, 'schema.yaml');

const edit = async (change: (text: string) => string): Promise<void> => {
  await writeFile(file(), change(await readFile(file(), 'utf8')));
};

describe('headwater schema', () => {
  verifies('environments/schema', 'environments/schema-destructive');

  it('pulls a file, plans its changes with exit codes, and pushes them', async () => {
    expect(await run('pull')).toEqual({ code: 0, output: 'schema.yaml written.\n' });
    expect(await run('plan')).toEqual({ code: 0, output: 'The schema is up to date.\n' });
    await createEntry(app(), project, { contentTypeApiName: 'author', fields: { name: 'Ann' } });
    await edit((text) =>
      text
        .replace('- apiName: name\n', '- apiName: label\n        renamedFrom: name\n')
        .replace('displayField: name', 'displayField: label'),
    );
    const plan = await run('plan');
    expect([plan.code, plan.output]).toEqual([2, '> rename field author.label (was name)\n1 step\n']);
    expect((await run('push')).code).toBe(0);
    expect((await run('plan')).code).toBe(0);
  });

  it('asks for consent before it deletes', async () => {
    await edit((text) => text.replace('- apiName: label\n        renamedFrom: name\n', '- apiName: other\n'));
    await edit((text) =>
      text
        .replace('        name: Name\n        type: text', '        name: Other\n        type: text')
        .replace('displayField: label', 'displayField: other'),
    );
    const lossy = '- delete field author.label, loses 1 value of 1 entry';
    for (const command of ['plan', 'push']) {
      const { code, output } = await run(command);
      expect([code, output.split('\n')]).toEqual([3, expect.arrayContaining([lossy])]);
    }
    expect((await run('plan', '--allow-destructive')).code).toBe(2);
    expect((await run('push', '--allow-destructive')).code).toBe(0);
  });

  it.each([
    ['aliases that grow', 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n', 'aliases'],
    ['duplicate keys', 'roles: []\nroles: []\n', 'unique'],
    ['another tag', '!!js/function "x"\n', 'validation_failed'],
    ['unknown keys', 'contentType: []\n', 'validation_failed'],
  ])('refuses a file with %s', async (_what, text, reason) => {
    await writeFile(path.join(folder, 'bad.yaml'), text);
    const { code, output } = await run('push', '--file', 'bad.yaml');
    expect([code, output.includes(reason) ? reason : output]).toEqual([1, reason]);
  });
});
