import { describe, expect, it } from '@jest/globals';
import { checkEnvironment } from '../../../src/cli/rebuild/visit-environment.js';
import { EnvironmentListRepository } from '../../../src/features/environments/catalog/index.js';
import { systemScope } from '../../../src/persistence/work/unit-of-work.js';
import { openDesk, useApp, type Desk } from '../../support/desk.js';
import { fc } from '../../support/properties.js';
import { verifies } from '../../support/verifies.js';
import { editorRole, member } from './definitions.js';
import { EntryModel } from './model/entry-model.js';
import { check, execute, stepArbitrary, type Run } from './model/steps.js';
import { sampled } from '../../support/extent.js';

const app = useApp();

async function shownState({ desk, id }: Run, code: string): Promise<unknown> {
  const { body } = await desk.get(`/entries/${id}/workflow?locale=${code}`);
  const { state, pendingApprovals, version } = (
    body as {
      data: {
        state: string;
        version: number;
        pendingApprovals: { to: string; approvals: { by: { id: string }; isLapsed: boolean }[] }[];
      };
    }
  ).data;
  const approvals = pendingApprovals.flatMap(({ to, approvals: given }) =>
    given.map(({ by, isLapsed }) => `${to} ${by.id} ${String(isLapsed)}`),
  );
  return { version, state, approvals: approvals.sort() };
}

function expectedState({ model, actors }: Run, code: string): unknown {
  const { states, approvals, workflow } = model.states;
  const state = states.get(code) ?? states.get('en');
  const place = model.states.placeOf(code);
  const shown = approvals.filter(
    (one) =>
      one.place === place &&
      one.from === state &&
      workflow.transitions.some(
        ({ from, to, required }) => from === one.from && to === one.to && required !== undefined,
      ),
  );
  return {
    version: model.version,
    state,
    approvals: shown
      .map(({ to, user, isLapsed }) => `${to} ${actors[user]?.id ?? ''} ${String(isLapsed)}`)
      .sort(),
  };
}

async function compare(run: Run): Promise<void> {
  const { desk, model, id } = run;
  if (model.isDeleted) return;
  const codes = model.states.workflow.perLocale ? Object.keys(model.locales) : ['en'];
  for (const code of codes)
    expect([code, await shownState(run, code)]).toEqual([code, expectedState(run, code)]);
  const { body } = await desk.get(`/translations/${id}`);
  const shown = (
    body as { data: { locales: { locale: string; status: string; outdatedFields: string[] }[] } }
  ).data.locales;
  const { translations } = model;
  expect(shown.map(({ locale: code, status, outdatedFields }) => [code, status, outdatedFields])).toEqual(
    ['de', 'fr'].map((code) => [code, translations.statusOf(code), translations.outdatedOf(code)]),
  );
}

async function differences(desk: Desk): Promise<readonly string[]> {
  const { units } = desk.app.composition.services;
  const request = { scope: systemScope({ command: 'test' }), isReadOnly: true, lock: 'none' } as const;
  const heads = await units.run(request, (work) => work.use(EnvironmentListRepository).all());
  const own = heads.filter(({ projectSlug }) => projectSlug === desk.project.slug);
  const visits = await Promise.all(own.map((head) => checkEnvironment(units, head)));
  return visits.flatMap(({ isOk, lines }) => (isOk ? [] : lines));
}

/** An entry of a new type, in the default workflow. */
async function openRun(desk: Desk, type: string, actors: Run['actors']): Promise<Run> {
  const fields = ['title', 'note', 'code'].map((apiName) => ({
    apiName,
    type: 'text',
    localized: apiName !== 'code',
  }));
  await check(desk.post('/content-types', { apiName: type, name: type, fields }), undefined);
  const { siteId } = desk.project;
  const made = await desk.post('/entries', { contentTypeApiName: type, siteId, fields: { title: 'a' } });
  const { id } = (made.body as { data: { id: string } }).data;
  return { type, id, desk, actors, model: new EntryModel('key') };
}

/** Leaves neither the entry nor its workflow to the next run. */
async function closeRun({ desk, id, type, model }: Run): Promise<void> {
  await desk.delete(`/entries/${id}`);
  if (!model.states.isDropped) await desk.delete(`/workflows/${type}`);
}

async function openActors(desk: Desk): Promise<Run['actors']> {
  const editor = await editorRole(desk);
  const names = ['first', 'second', 'third'];
  const members = names.map(async (name) => [name, await member(desk, editor)] as const);
  return Object.fromEntries(await Promise.all(members));
}

const { SEQUENCES = String(sampled(8, 25)), STEPS = '15' } = process.env;

describe('Any sequence of edits, restorations, transitions, publications, statuses and changed workflows', () => {
  verifies(
    'workflows/states-in-use',
    'workflows/changed-content',
    'workflows/approvals',
    'translations/status',
    'translations/staleness',
  );

  it('leaves the states, approvals and statuses of a model, and counters that rebuild confirms', async () => {
    const desk = await openDesk(app());
    const actors = await openActors(desk);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepArbitrary, { minLength: Number(STEPS), maxLength: Number(STEPS) }),
        async (steps) => {
          count += 1;
          const run = await openRun(desk, `article${String(count)}`, actors);
          try {
            for (const step of steps) {
              await execute(run, step);
              await compare(run);
            }
            expect(await differences(desk)).toEqual([]);
          } finally {
            await closeRun(run);
          }
        },
      ),
      { numRuns: Number(SEQUENCES), endOnFailure: process.env.SEQUENCES === undefined },
    );
  }, 600_000);
});
