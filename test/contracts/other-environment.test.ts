import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { must, send, type RestCall } from '../support/call.js';
import { outcome, useOwnApp } from '../support/desk.js';
import { branch } from '../support/factories/branch.js';
import { exampleOf, restCall, restOperations, rightKey } from '../support/operations.js';
import { openScene, type Scene } from '../support/scene.js';
import { verifies } from '../support/verifies.js';
import { idPositions } from './id-positions.js';
import { itemsOf, markItems, MARK, rowDigests } from './environment-rows.js';

/** Not run: their items belong to the project or the tenant, or the input names the environments. */
const ofProject: Readonly<Record<string, string>> = {
  sites: 'Sites are the same in all environments.',
  locales: 'Locales belong to the tenant.',
  apiKeys: 'Keys belong to the project; a key can be bound to an environment.',
  personalKeys: 'Personal keys belong to their users in a project.',
  webhooks: 'Webhooks receive the events of all environments.',
  roles: 'Roles belong to the project.',
  users: 'Users belong to the tenant.',
  views: 'Views are filters of their users.',
  customReports: 'Definitions belong to the project; runs cover the environment of the call.',
  ipAllowlist: 'Addresses are checked for the whole project.',
  audit: 'One chain of records per project.',
  environments: 'They are the environments themselves.',
  promotions: 'The input names both environments.',
};

/** Refused with the items of a branch: these do not follow into it, or name definitions of the default environment. */
const needsOwn = [
  'calendar.adopt',
  'calendar.reschedule',
  'entries.cancelSchedule',
  'entries.deleteComment',
  'entries.getComment',
  'entries.reopenComment',
  'entries.resolveComment',
  'entries.updateComment',
  'governance.resolve',
  'mediaUploads.abort',
  'mediaUploads.append',
  'mediaUploads.complete',
  'mediaUploads.get',
  'releases.addItems',
  'releases.approve',
  'releases.delete',
  'releases.get',
  'releases.publish',
  'releases.removeItem',
  'releases.reopen',
  'releases.rollback',
  'releases.schedule',
  'releases.update',
  'releases.validate',
  'schema.applyDocument',
  'schema.undo',
  'translations.getExport',
  'translations.getImport',
  ...['imports.get', 'imports.repeat', 'imports.cancel'],
];

const app = useOwnApp();

type Input = Readonly<Record<string, unknown>>;
type Operation = (typeof restOperations)[number];

const groupOf = (name: string): string => name.split('.')[0] ?? '';
const inProject = restOperations.filter(({ operation: { meta } }) =>
  ['management', 'delivery'].includes(meta.audience),
);
const tested = inProject.filter(({ name }) => !(groupOf(name) in ofProject));

let scene: Scene;
let other: string;
/** Of items that were in the default environment before the branch was made, so both have them. */
const known = new Map<string, Input>();
/** Of items of the default environment alone. */
const foreign = new Map<string, Input>();
let foreignItems: string[];

/** A delivery key cannot name an environment. */
const keyOf = async ({ operation }: Operation): Promise<string | undefined> =>
  operation.meta.audience === 'delivery' ? scene.project.keys.preview : rightKey(scene, operation);

async function sendInOther(one: Operation, input: Input): Promise<Response> {
  return send(app(), { ...restCall(one.rest, input), key: await keyOf(one), environment: other });
}

/** The scene whose calls name the other environment. */
function sceneInOther(): Scene {
  const request = new Proxy(scene.app.request, {
    get: (verbs, verb) => (path: string) => verbs[verb as 'get'](path).set('X-Environment', other),
  });
  return { ...scene, app: { ...scene.app, request } };
}

/** What the answer shows of the default environment, besides the names that the call sent. */
function leaksOf({ text }: Response, call: RestCall): string[] {
  const sent = `${call.path} ${JSON.stringify(call.body ?? {})}`;
  return [MARK, ...foreignItems].filter((item) => text.includes(item) && !sent.includes(item));
}

let digests: Record<string, string>;

/** Runs `work` and returns the tables of the default environment that it changed. */
async function changesOf(work: () => Promise<void>): Promise<string[]> {
  const before = digests;
  await work();
  digests = await rowDigests(scene);
  return Object.keys(before).filter((table) => before[table] !== digests[table]);
}

beforeAll(async () => {
  scene = await openScene(app());
  for (const one of tested) known.set(one.name, await exampleOf(one.operation)(scene));
  other = await branch(scene);
  await app().composition.jobs.workOnEnvironments();
  const before = new Set(await itemsOf(scene));
  for (const one of tested) foreign.set(one.name, await exampleOf(one.operation)(scene));
  foreignItems = (await itemsOf(scene)).filter((id) => !before.has(id));
  await markItems(scene);
  await app().composition.jobs.indexSearch();
  digests = await rowDigests(scene);
}, 120_000);

it('leaves out only groups that exist', () => {
  const groups = new Set(inProject.map(({ name }) => groupOf(name)));
  expect(Object.keys(ofProject).filter((group) => !groups.has(group))).toEqual([]);
  expect(tested.length).toBeGreaterThan(100);
  expect(foreignItems.length).toBeGreaterThan(50);
});

/** Failures and leaks of a call in the other environment. */
async function faultOf(one: Operation, input: Input, isExpected: (answer: Response) => boolean) {
  const answer = await sendInOther(one, input);
  const leaks = leaksOf(answer, restCall(one.rest, input));
  const { status, text } = answer;
  return isExpected(answer) && leaks.length === 0
    ? []
    : [{ name: one.name, status, text: text.slice(0, 300), leaks }];
}

const isDone = ({ status }: Response): boolean => status < 300;
const isMissing = ({ status }: Response): boolean => status === 404;

describe('Every operation in another environment', () => {
  verifies('environments/copy-separate');

  it('succeeds with items that both have, and neither shows nor changes those of the default one', async () => {
    const faults: object[] = [];
    for (const group of new Set(tested.map(({ name }) => groupOf(name)))) {
      const changed = await changesOf(async () => {
        for (const one of tested.filter(({ name }) => groupOf(name) === group)) {
          const isRefused = needsOwn.includes(one.name);
          const isExpected = ({ status }: Response) =>
            isRefused ? [404, 409].includes(status) : status < 300;
          faults.push(...(await faultOf(one, known.get(one.name) ?? {}, isExpected)));
        }
      });
      if (changed.length > 0) faults.push({ group, changed });
    }
    expect(faults).toEqual([]);
  }, 120_000);

  it('succeeds with items that are not copied to branches', async () => {
    const own = sceneInOther();
    const faults: object[] = [];
    const changed = await changesOf(async () => {
      for (const one of tested.filter(({ name }) => needsOwn.includes(name)))
        faults.push(...(await faultOf(one, await exampleOf(one.operation)(own), isDone)));
    });
    expect([faults, changed]).toEqual([[], []]);
  }, 120_000);

  it('finds none of the items that only the default one has', async () => {
    const faults: object[] = [];
    let calls = 0;
    const changed = await changesOf(async () => {
      for (const one of tested) {
        const [input, first] = [foreign.get(one.name) ?? {}, known.get(one.name) ?? {}];
        const isAddressed = [...one.rest.path.matchAll(/\{(\w+)\}/g)].some(
          ([, key = '']) => input[key] !== first[key],
        );
        if (!isAddressed && idPositions(first, input).length === 0) continue;
        calls += 1;
        faults.push(...(await faultOf(one, input, isAddressed ? isMissing : () => true)));
      }
    });
    expect([faults, changed]).toEqual([[], []]);
    expect(calls).toBeGreaterThan(70);
  }, 120_000);
});

describe('What belongs to the project', () => {
  verifies('environments/copy-separate');
  const lists = inProject.filter(({ name }) => groupOf(name) in ofProject && name.endsWith('.list'));

  it.each(lists)('is the same in every environment: $name', async (one) => {
    // Promotions are listed by the environment that the path names.
    const slug = one.rest.path.includes('{slug}') && { slug: 'main' };
    const call = restCall(one.rest, { projectSlug: scene.project.slug, ...slug });
    const key = await keyOf(one);
    const [here, there] = [
      await must<object[]>(app(), { ...call, key }),
      await must<object[]>(app(), { ...call, key, environment: other }),
    ];
    expect(there).toEqual(here);
  });
});

describe('An environment that is deleted after a call was admitted', () => {
  verifies('environments/deletion');

  /** Deletes it without a notice to the service, which goes on to admit calls. */
  async function deleteUnnoticed(): Promise<void> {
    const { tenantId, projectId } = scene.project;
    await app().rows(
      tenantId,
      `DO $$
       DECLARE gone uuid := (SELECT id FROM environments WHERE project_id = '${projectId}' AND slug = '${other}');
       BEGIN
         PERFORM set_config('headwater.copying', 'on', true);
         UPDATE environments SET status = 'deleting' WHERE id = gone;
         PERFORM empty_environment(gone, 1000000);
         PERFORM set_config('headwater.copying', 'on', true);
         PERFORM forget_environment(gone);
       END $$`,
    );
  }

  it('fails the call with 404, and none with an unexpected error', async () => {
    for (const one of tested) await sendInOther(one, known.get(one.name) ?? {});
    await deleteUnnoticed();
    const answers: { name: string; status: unknown; code: unknown }[] = [];
    for (const one of tested) {
      const [status, code] = outcome(await sendInOther(one, known.get(one.name) ?? {}));
      answers.push({ name: one.name, status, code });
    }
    expect(answers.filter(({ status }) => ![200, 404, 409].includes(Number(status)))).toEqual([]);
    expect(answers.filter(({ code }) => code === 'environment_not_found').length).toBeGreaterThan(40);
  }, 120_000);
});
