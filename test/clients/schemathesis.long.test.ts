import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/infrastructure/logger.js';
import { listen, type RunningServer } from '../../src/infrastructure/http-server.js';
import { rowOf } from '../resources/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { superAdmin } from '../support/factories/project.js';
import { withPythonPackages } from '../support/installed-packages.js';
import { exampleOf, restOperations } from '../support/operations.js';
import { openScene, type Scene } from '../support/scene.js';

const run = promisify(execFile);
const document = path.resolve('openapi/openapi.json');
const tool = await withPythonPackages(path.join(import.meta.dirname, 'schemathesis'));

interface Report {
  readonly operations: { readonly selected: number; readonly tested: number };
  /** By operation and phase. */
  readonly valid_rates: Readonly<Record<string, Readonly<Record<string, { readonly accepted: number }>>>>;
}

interface Judgement {
  /** What the tool printed, if it found something. */
  readonly found: string;
  readonly report: Report;
}

const rateDefaults = { delivery: 0, preview: 0, management: 0, session: 0, anonymous: 0, login: 0 };

(tool === undefined ? describe.skip : describe)('schemathesis (needs its package)', () => {
  let app: TestApp;
  let server: RunningServer;
  let scene: Scene;

  /** A project with what the example of every operation needs. */
  beforeAll(async () => {
    app = await startTestApp({ rateDefaults });
    const log = createLogger('silent');
    server = await listen(app.composition.handler, { host: '127.0.0.1', port: 0, log });
    scene = await openScene(app);
    for (const { name, operation } of restOperations)
      if (!rowOf(name).needsOwnScene) await exampleOf(operation)(scene);
  }, 120_000);
  afterAll(async () => {
    await server.drain(1);
    await app.close();
    await rm(tool!, { recursive: true, force: true });
  });

  async function judge(file: string, ...options: readonly string[]): Promise<Judgement> {
    const { slug, keys } = scene.project;
    const env = {
      PATH: process.env.PATH,
      PROJECT: slug,
      PREVIEW_KEY: keys.preview,
      MANAGEMENT_KEY: keys.management,
      SESSION: await superAdmin(app),
    };
    const args = ['run', file, '--url', server.url, '--report=json', '--report-json-path=report.json'];
    const found = await run('bin/schemathesis', [...args, ...options], {
      cwd: tool,
      env,
      maxBuffer: 2 ** 26,
    }).then(
      () => '',
      ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
    );
    const report = await readFile(path.join(tool!, 'report.json'), 'utf8');
    return { found, report: JSON.parse(report) as Report };
  }

  it('finds a response that lacks a required key', async () => {
    const text = await readFile(document, 'utf8');
    const wrong = path.join(tool!, 'wrong.json');
    await writeFile(wrong, text.replaceAll('"meta"', '"nothing"'));
    const { found } = await judge(wrong, '--include-operation-id=meProjects');
    expect(found).toContain('"nothing" is a required property');
  });

  it('finds nothing in what the service responds to requests that the document describes', async () => {
    const { found, report } = await judge(document);
    const { operations, valid_rates: rates } = report;
    expect(found).toBe('');
    expect(operations.tested).toBe(operations.selected);
    const reached = Object.values(rates).filter((phases) =>
      Object.values(phases).some(({ accepted }) => accepted > 0),
    );
    expect(reached.length).toBeGreaterThan(operations.tested / 2);
  });
});
