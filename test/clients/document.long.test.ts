import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import {
  withMavenArtifact,
  withMavenLibraries,
  withNpmPackages,
  withPythonPackages,
} from '../support/installed-packages.js';

const run = promisify(execFile);
const from = (folder: string) => path.join(import.meta.dirname, folder);
const document = path.resolve('openapi/openapi.json');

const VERSION = '7.25.0';
const linters = await withNpmPackages(from('linters'));
const python = await withPythonPackages(from('generated'));
const generator = await withMavenArtifact(
  from('generated'),
  `org.openapitools:openapi-generator-cli:${VERSION}`,
);
const java = await withMavenLibraries(from('java'));

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Exit code and output of a program, whether it succeeds or not. */
async function outcomeOf(command: string, args: readonly string[], cwd = ''): Promise<Outcome> {
  try {
    const { stdout, stderr } = await run(command, args, { cwd, maxBuffer: 2 ** 26 });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

/** The document with an operation that has no responses. */
async function writeInvalid(folder: string): Promise<string> {
  const file = path.join(folder, 'invalid.json');
  const info = { title: 'Invalid', version: '1' };
  await writeFile(file, JSON.stringify({ openapi: '3.1.0', info, paths: { '/{id}': { get: {} } } }));
  return file;
}

afterAll(async () => {
  for (const folder of [linters, python, java, generator])
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

(linters === undefined ? describe.skip : describe)('Spectral (needs its package)', () => {
  const lint = (file: string) =>
    outcomeOf('node_modules/.bin/spectral', ['lint', '--fail-severity=hint', file], linters);

  it('finds nothing in the document by its default rules', async () => {
    expect(await lint(document)).toEqual({ code: 0, output: expect.stringContaining('No results') });
  });

  it('finds what is wrong with an invalid document', async () => {
    expect(await lint(await writeInvalid(linters!))).toMatchObject({ code: 1 });
  });
});

(python === undefined ? describe.skip : describe)('openapi-spec-validator (needs its package)', () => {
  const validate = (file: string) => outcomeOf('bin/openapi-spec-validator', [file], python);

  it('accepts the document', async () => {
    expect(await validate(document)).toEqual({ code: 0, output: expect.stringMatching(/OK\s*$/) });
  });

  it('refuses an invalid document', async () => {
    expect(await validate(await writeInvalid(python!))).toMatchObject({ code: 1 });
  });
});

/** Makes a client in the folder `client`. */
function generate(name: string, cwd: string, options: readonly string[]) {
  const jar = path.join(generator!, `openapi-generator-cli-${VERSION}.jar`);
  const output = [
    '-i',
    document,
    '-g',
    name,
    '-o',
    'client',
    '--global-property=apiTests=false,modelTests=false',
  ];
  return run('java', ['-jar', jar, 'generate', ...output, ...options], { cwd, maxBuffer: 2 ** 26 });
}

const generated = (folder?: string) => (folder === undefined || generator === undefined ? it.skip : it);

describe('Clients that openapi-generator makes (need its artifact, Java and their packages)', () => {
  let app: TestApp;
  let project: TestProject;

  beforeAll(async () => {
    app = await startTestApp();
    project = await createProject(app);
    const fields = [{ apiName: 'title', type: 'text', required: true }];
    await createType(app, project, { apiName: 'article', isPage: true, fields });
    for (const title of ['Alpha', 'Beta']) {
      const entry = { contentTypeApiName: 'article', slug: title.toLowerCase(), fields: { title } };
      const { id } = await createEntry(app, project, entry);
      await publish(app, project, id);
    }
  });
  afterAll(() => app.close());

  /** Runs a program of a client, which must list, read, create and receive failures. */
  async function expectToWork(command: string, args: readonly string[], cwd: string): Promise<void> {
    const { slug, siteSlug, siteId, keys } = project;
    const env = {
      PATH: process.env.PATH,
      SERVICE: app.baseUrl,
      PROJECT: slug,
      SITE: siteSlug,
      SITE_ID: siteId,
      DELIVERY_KEY: keys.delivery,
      MANAGEMENT_KEY: keys.management,
    };
    const { stdout } = await run(command, args, { cwd, env });
    expect(JSON.parse(stdout)).toEqual({
      titles: ['Alpha', 'Beta'],
      first: 'Alpha',
      created: 'Made by a generated client',
      missing: [404, 'content_type_not_found'],
      unauthorized: [401, 'invalid_api_key'],
    });
  }

  generated(python)('a client for Python lists, reads, creates and receives failures', async () => {
    await generate('python', python!, ['--package-name', 'headwater_client']);
    await expectToWork('bin/python', ['generated_client.py'], python!);
  });

  generated(java)('a client for Java compiles, lists, reads, creates and receives failures', async () => {
    const name = 'headwater.client';
    const packages = `invokerPackage=${name},apiPackage=${name}.api,modelPackage=${name}.model`;
    await generate('java', java!, [`--additional-properties=useSingleRequestParameter=true,${packages}`]);
    const sources = globSync('client/src/main/java/**/*.java', { cwd: java! });
    await writeFile(path.join(java!, 'sources'), ['GeneratedClient.java', ...sources].join('\n'));
    await run('javac', ['-proc:none', '-d', 'classes', '-cp', 'lib/*', '@sources'], { cwd: java! });
    await expectToWork('java', ['-cp', 'classes:lib/*', 'GeneratedClient'], java!);
  });
});
