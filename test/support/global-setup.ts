import { execFileSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { tsImport } from 'tsx/esm/api';
import type { PreparedTemplate } from './prepare-template.js';

/** Builds the service for tests that start processes. Node loads this file itself, so TypeScript needs tsx. */
export default async function globalSetup(): Promise<void> {
  execFileSync(process.execPath, ['src/cli/build.js'], { stdio: 'inherit' });
  const { prepareTemplate } = (await tsImport('./prepare-template.ts', import.meta.url)) as {
    prepareTemplate: () => Promise<PreparedTemplate>;
  };
  const prepared = await prepareTemplate();
  const records = await mkdtemp(path.join(tmpdir(), 'headwater-secrets-'));
  const answers = await mkdtemp(path.join(tmpdir(), 'headwater-answers-'));
  Object.assign(process.env, prepared.environment, {
    HEADWATER_SECRET_RECORDS: records,
    HEADWATER_ANSWER_RECORDS: answers,
  });
  globalThis.disposeTestTemplate = () => prepared.dispose();
}

declare global {
  /** Set by the global setup for the global teardown. */
  var disposeTestTemplate: (() => Promise<void>) | undefined;
}
