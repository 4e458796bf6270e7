import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { prepareTemplate } from '../../support/prepare-template.js';
import { runCommand, ServiceProcess } from '../../support/service-process.js';
import { createTestDatabase } from '../../support/test-postgres.js';
import { BranchedProject } from './branched-project.js';
import { KillClient, type Reply } from './client.js';
import { asSuperuser, reportCounts } from './kills.js';
import { preparePlace } from './place.js';
import { Seeded } from './seeded.js';

const { values: flags } = parseArgs({
  options: { seed: { type: 'string' }, kills: { type: 'string' }, entries: { type: 'string' } },
});
const seed = Number(flags.seed ?? randomInt(2 ** 31));
const kills = Number(flags.kills ?? 20);
const entries = Number(flags.entries ?? 600);
const random = new Seeded(seed);
const settings = { LOG_LEVEL: 'info', SHUTDOWN_DELAY_SECONDS: '0' };

const works = ['copy', 'promotion', 'rollback'] as const;
type Work = (typeof works)[number];

/** What has been seen of the whole run. */
class Results {
  /** Milliseconds of the longest undisturbed run by kind of work. */
  readonly longest: Record<Work, number> = { copy: 0, promotion: 0, rollback: 0 };
  readonly kills: Record<Work, number> = { copy: 0, promotion: 0, rollback: 0 };
  finished = 0;
  undone = 0;
  halfDone = 0;
}

class Killing {
  readonly results = new Results();
  #copies = 0;
  #before = '';
  #after = '';
  #isPromoted = false;

  constructor(
    private readonly client: KillClient,
    private readonly project: BranchedProject,
    private readonly start: () => Promise<ServiceProcess>,
  ) {}

  /** Each kind of work once without a kill, for its duration and its result. */
  async measure(): Promise<void> {
    this.#before = await this.project.state('main');
    for (const work of works) {
      const startedAt = Date.now();
      const reply = await this.#send(work);
      if (reply.kind !== 'answered' || reply.status >= 300)
        throw new Error(`${work}: ${JSON.stringify(reply)}`);
      await this.project.untilReady(work === 'copy' ? this.#copy : 'main');
      this.results.longest[work] = Date.now() - startedAt;
      if (work === 'promotion') this.#after = await this.project.state('main');
    }
    if ((await this.project.state('main')) !== this.#before || this.#after === this.#before)
      throw new Error('The measured work left another state.');
  }

  get #copy(): string {
    return `copy-${this.#copies}`;
  }

  #send(work: Work): Promise<Reply> {
    if (work === 'promotion') return this.project.promote();
    if (work === 'rollback') return this.project.rollback();
    this.#copies += 1;
    return this.project.copy(this.#copy);
  }

  /** Promotes or rolls back without a kill, so that the work can be done. */
  async #prepare(work: Work): Promise<void> {
    const isDone = work === 'copy' || this.#isPromoted === (work === 'rollback');
    if (isDone) return;
    const reply = await this.#send(this.#isPromoted ? 'rollback' : 'promotion');
    if (reply.kind !== 'answered' || reply.status >= 300) throw new Error(JSON.stringify(reply));
    await this.project.untilReady('main');
    this.#isPromoted = !this.#isPromoted;
  }

  /** Kills the service at a random moment of the work, and compares once it runs again. */
  async kill(work: Work): Promise<void> {
    await this.#prepare(work);
    const { service } = this.client;
    const reply = this.#send(work);
    await delay(random.between(0, this.results.longest[work]));
    this.client.service = undefined;
    await service?.kill('SIGKILL');
    await reply;
    this.client.service = await this.start();
    this.results.kills[work] += 1;
    if (work === 'copy') await this.#judgeCopy();
    else await this.#judgeTarget();
  }

  async #judgeCopy(): Promise<void> {
    if (!(await this.project.untilReady(this.#copy))) this.results.undone += 1;
    else if ((await this.project.state(this.#copy)) === (await this.project.state('main')))
      this.results.finished += 1;
    else this.results.halfDone += 1;
  }

  async #judgeTarget(): Promise<void> {
    await this.project.untilReady('main');
    const state = await this.project.state('main');
    const wasPromoted = this.#isPromoted;
    if (state !== this.#before && state !== this.#after) this.results.halfDone += 1;
    this.#isPromoted = state === this.#after;
    if (wasPromoted === this.#isPromoted) this.results.undone += 1;
    else this.results.finished += 1;
  }
}

async function runKills(databaseUrl: string, database: pg.Client): Promise<void> {
  const client = new KillClient();
  const start = (): Promise<ServiceProcess> => ServiceProcess.start(databaseUrl, settings);
  client.service = await start();
  try {
    const place = await preparePlace(client, databaseUrl);
    client.key = place.key;
    const project = new BranchedProject(client, database, place);
    await project.prepare(entries);
    const killing = new Killing(client, project, start);
    await killing.measure();
    for (let round = 1; round <= kills; round += 1) {
      await killing.kill(works[round % works.length] ?? 'copy');
      process.stdout.write(`\r${round} of ${kills} kills`);
    }
    const unrecorded = await project.unrecorded();
    await client.service.kill('SIGTERM');
    const chain = await runCommand(databaseUrl, ['audit', '--verify']);
    const models = await runCommand(databaseUrl, ['rebuild', '--check']);
    const { results } = killing;
    console.log(
      `\nkilled during ${JSON.stringify(results.kills)}, which take ${JSON.stringify(results.longest)} ms`,
    );
    console.log(`${results.finished} finished, ${results.undone} undone`);
    reportCounts({
      'half done': results.halfDone,
      'without exactly one audit record': unrecorded,
      'broken audit chains': chain.code,
      'different read models': models.code,
    });
  } finally {
    await client.service?.kill('SIGKILL');
  }
}

const startedAt = Date.now();
console.log(`seed ${seed}: ${kills} kills, ${entries} entries`);
const template = await prepareTemplate();
Object.assign(process.env, template.environment);
const database = await createTestDatabase();
try {
  const superuser = await asSuperuser(database.url);
  await runKills(database.url, superuser);
  await superuser.end();
  console.log(`${Math.round((Date.now() - startedAt) / 1000)} s`);
} finally {
  await database.drop();
  await template.dispose();
}
