import path from 'node:path';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll } from '@jest/globals';
import { lineOf, type Report } from '../../src/cli/doctor/check.js';
import { runDoctor } from '../../src/cli/doctor/run-doctor.js';
import { startHungServer, type HungServer } from './hung-neighbours.js';
import { environment } from './service-process.js';
import { createTestDatabase, type TestDatabase } from './test-postgres.js';

/** Wherever it is used, it must not be printed. */
export const PASSWORD = 'a-password-that-must-not-be-printed';

/** What the doctor is called to, and neighbours that do not work. */
export interface Patient {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly hung: HungServer;
  /** Refuses every request, and repeats its headers. */
  readonly refusingUrl: string;
  settings(more?: Readonly<Record<string, string>>): NodeJS.ProcessEnv;
  examine(more?: Readonly<Record<string, string>>, limitMs?: number): Promise<Report[]>;
  close(): Promise<void>;
}

const LIMIT_MS = 20_000;

export async function openPatient(databaseUrl: string): Promise<Patient> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwater-doctor-test-'));
  const hung = await startHungServer();
  const refusing = createServer((request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { type: 'security_exception', sent: request.headers } }));
  });
  refusing.listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const base = { HEADWATER_DATA_DIR: folder, PUBLIC_BASE_URL: 'http://cms.example.com' };
  const settings: Patient['settings'] = (more = {}) => environment(databaseUrl, { ...base, ...more });
  return {
    databaseUrl,
    folder,
    hung,
    settings,
    refusingUrl: `http://127.0.0.1:${String((refusing.address() as AddressInfo).port)}`,
    examine: (more = {}, limitMs = LIMIT_MS) => runDoctor({ env: settings(more), limitMs }),
    close: async () => {
      hung.close();
      refusing.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** An installation with a database, for the tests of a file. */
export function usePatient(): () => Patient {
  let database: TestDatabase;
  let patient: Patient;
  beforeAll(async () => {
    database = await createTestDatabase();
    patient = await openPatient(database.url);
  });
  afterAll(async () => {
    await patient.close();
    await database.drop();
  });
  return () => patient;
}

export const statesOf = (reports: readonly Report[], name: string): string[] =>
  reports.filter((report) => report.name === name).map(({ state }) => state);

export const linesOf = (reports: readonly Report[], name: string): string =>
  reports
    .filter((report) => report.name === name)
    .map(lineOf)
    .join('\n');

export const searchSettings = (url: string): Record<string, string> => ({
  SEARCH_PROVIDER: 'opensearch',
  OPENSEARCH_URL: url,
  OPENSEARCH_USERNAME: 'admin',
  OPENSEARCH_PASSWORD: PASSWORD,
});
