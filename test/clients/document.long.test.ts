import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { withMavenArtifact, withNpmPackages, withPythonPackages } from '../support/installed-packages.js';

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
const hasGenerator = python !== undefined && generator !== undefined;

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
  for (const folder of [linters, python, generator])
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

(hasGenerator ? describe : describe.skip)('openapi-generator (needs its artifact, Java and Python)', () => {
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
    const jar = path.join(generator!, `openapi-generator-cli-${VERSION}.jar`);
    const options = ['-g', 'python', '-o', 'client', '--package-name', 'headwater_client'];
    await run('java', ['-jar', jar, 'generate', '-i', document, ...options], {
      cwd: python,
      maxBuffer: 2 ** 26,
    });
  });
  afterAll(() => app.close());

  it('makes a client for Python that lists, reads, creates and receives failures', async () => {
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
    const { stdout } = await run('bin/python', ['generated_client.py'], { cwd: python, env });
    expect(JSON.parse(stdout)).toEqual({
      titles: ['Alpha', 'Beta'],
      first: 'Alpha',
      created: 'Made by a generated client',
      missing: [404, 'content_type_not_found'],
      unauthorized: [401, 'invalid_api_key'],
    });
  });
});
