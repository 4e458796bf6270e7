import { startOver, type TestApp, type TestAppOptions } from './app.js';
import { writeAnswers } from './answers/answer-watch.js';
import { secretWatch } from './secrets/secret-watch.js';
import { openRecord } from './secrets/watch-records.js';
import { cloneDatabase } from './test-postgres.js';
import { closeWithWorker } from './worker.js';

const unlimited = { delivery: 0, preview: 0, management: 0, session: 0, anonymous: 0, login: 0 };

/** The services that test files share: `counted` counts requests without a limit, so that screens show the numbers. */
const profiles = { usual: {}, counted: { rateDefaults: unlimited } } as const satisfies Record<
  string,
  TestAppOptions
>;
export type Profile = keyof typeof profiles;

const apps = new Map<Profile, Promise<TestApp>>();

/** A job covers all tenants, so on this service it would do what every earlier file left. */
const noJobs = new Proxy({} as TestApp['composition']['jobs'], {
  get: (_jobs, name) => () => {
    throw new Error(`The job ${String(name)} covers the tenants of all files: use useOwnApp()`);
  },
});

const withoutJobs = (app: TestApp): TestApp => ({
  ...app,
  composition: { ...app.composition, jobs: noJobs },
});

async function open(profile: Profile): Promise<TestApp> {
  const url = await cloneDatabase();
  const app = await startOver({ url, drop: () => Promise.resolve() }, profiles[profile]);
  closeWithWorker(() => app.close());
  return profile === 'usual' ? withoutJobs(app) : app;
}

/** The service of the worker; one that does not start is tried again by the next test file. */
function workerApp(profile: Profile): Promise<TestApp> {
  const started = apps.get(profile) ?? open(profile);
  apps.set(profile, started);
  started.catch(() => apps.delete(profile));
  return started;
}

export interface UsedApp {
  readonly app: TestApp;
  /** Ends the use by this test file, whose log lines and answers are searched for its secrets. */
  done(): Promise<void>;
}

/** Uses the service of the worker. Its rows are searched after the run. */
export async function useWorkerApp(profile: Profile = 'usual'): Promise<UsedApp> {
  const app = await workerApp(profile);
  const record = await openRecord();
  const done = async (): Promise<void> => {
    const looked = secretWatch.settle();
    await record?.({ looked, rows: { databaseUrl: app.databaseUrl, secrets: secretWatch.known() } });
    await writeAnswers();
  };
  return { app, done };
}
