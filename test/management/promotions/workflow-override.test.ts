import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { openDesk, outcome, useApp, useOwnApp, type Desk } from '../../support/desk.js';
import { branch } from '../../support/factories/branch.js';
import { createMember, createRole, systemRoleId, type TestGrant } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { article, change, now } from '../entries/history.js';
import { editorial, moveTo, newWorkflow } from '../workflows/definitions.js';

const app = useApp();
/** Every promotion is a job. */
const withJobs = useOwnApp({ promotionJobItems: 0 });

const override: TestGrant = { resource: 'workflows', action: 'override' };
const everything: TestGrant = { resource: '*', action: '*' };

interface Scene {
  readonly desk: Desk;
  readonly slug: string;
  readonly id: string;
}

/** An article of a strict workflow, approved in main, which is changed and published in a branch whose workflow is advisory. */
async function unapprovedArticle(service = app()): Promise<Scene> {
  const desk = await openDesk(service);
  await newWorkflow(desk, editorial({ enforcement: 'strict' }));
  const { id } = await article(desk);
  await moveTo(desk, id, 'review');
  await moveTo(desk, id, 'approved');
  expect((await desk.post(`/entries/${id}/publish`)).status).toBe(200);
  const slug = await branch(desk);
  const branched = desk.in(slug);
  await branched.put('/workflows/editorial', { enforcement: 'advisory' });
  await change(branched, id, { fields: { title: 'Changed' } });
  expect((await branched.post(`/entries/${id}/publish`)).status).toBe(200);
  return { desk, slug, id };
}

const promote = (desk: Desk, { slug, id }: Scene, rest: object = {}): Promise<Response> =>
  desk.post(`/environments/${slug}/promote`, {
    mode: 'cherryPick',
    includeDependencies: false,
    publish: true,
    items: [{ kind: 'entry', id }],
    ...rest,
  });

/** A session of a member with these system roles or grants. */
async function memberWith({ desk }: Scene, roles: readonly (string | readonly TestGrant[])[]): Promise<Desk> {
  const ids = await Promise.all(
    roles.map((role) =>
      typeof role === 'string'
        ? systemRoleId(desk.app, desk.project, role)
        : createRole(desk.app, desk.project, role),
    ),
  );
  return desk.as((await createMember(desk.app, desk.project, ids)).token);
}

describe('publishing what a strict workflow has not approved, by a promotion', () => {
  verifies('workflows/strict-override');
  let scene: Scene;
  beforeAll(async () => {
    scene = await unapprovedArticle();
  });

  it.each<[string, readonly (string | readonly TestGrant[])[]]>([
    ['a developer', ['developer']],
    ['a role with every action on entries', ['developer', [{ resource: 'entries', action: '*' }]]],
    ['a role with every action on everything', [[everything]]],
    ['a role with every action on workflows', ['developer', [{ resource: 'workflows', action: '*' }]]],
    ['a grant for another type', ['developer', [{ ...override, scope: { contentTypes: ['author'] } }]]],
    ['a grant for another locale', ['developer', [{ ...override, scope: { locales: ['de'] } }]]],
  ])('is refused for %s', async (_name, roles) => {
    const member = await memberWith(scene, roles);
    for (const rest of [{}, { dryRun: true }])
      expect(outcome(await promote(member, scene, rest))).toEqual([409, 'workflow_not_approved']);
  });

  it('is refused for a key without limits', async () => {
    expect(outcome(await promote(scene.desk, scene))).toEqual([409, 'workflow_not_approved']);
    expect((await now(scene.desk, scene.id)).fields).toMatchObject({ title: 'Title' });
  });

  it.each<[string, readonly (string | readonly TestGrant[])[]]>([
    ['an owner', ['owner']],
    ['an admin', ['admin']],
    ['a role that names the right', ['developer', [override]]],
    [
      'a role that names the right for the type',
      ['developer', [{ ...override, scope: { contentTypes: ['article'] } }]],
    ],
  ])('is possible for %s, and recorded', async (_name, roles) => {
    const own = await unapprovedArticle();
    const member = await memberWith(own, roles);
    expect(outcome(await promote(member, own, { dryRun: true }))).toEqual([200, undefined]);
    expect(outcome(await promote(member, own))).toEqual([200, undefined]);
    expect(await now(own.desk, own.id)).toMatchObject({
      status: 'published',
      fields: { title: 'Changed' },
      workflow: { state: 'draft' },
    });
    const { body } = await own.desk.get('/audit-events?action=environment.promote');
    expect(body.data[0].after.overridden).toEqual([
      { entryId: own.id, locale: 'en', workflow: 'editorial', state: 'draft' },
    ]);
    expect((await own.desk.get(`/entries/${own.id}`)).body.data.status).toBe('published');
  });

  it('is possible in a job for who may, and for nobody else', async () => {
    const own = await unapprovedArticle(withJobs());
    const titleAfter = async (role: string): Promise<unknown> => {
      expect((await promote(await memberWith(own, [role]), own)).status).toBe(202);
      await withJobs().composition.jobs.workOnEnvironments();
      return (await now(own.desk, own.id)).fields.title;
    };
    expect(await titleAfter('developer')).toBe('Title');
    expect(await titleAfter('owner')).toBe('Changed');
  });

  it('lets nobody publish an entry otherwise', async () => {
    const { desk, id } = scene;
    await change(desk, id, { fields: { title: 'Other' } });
    const owner = await memberWith(scene, ['owner']);
    expect(outcome(await owner.post(`/entries/${id}/publish`))).toEqual([409, 'workflow_not_approved']);
  });
});

describe('the right to override workflows', () => {
  verifies('workflows/strict-override');

  it('is not given by a key without limits, nor by a member who lacks it', async () => {
    const desk = await openDesk(app());
    const roleId = await createRole(app(), desk.project, []);
    const give = (by: Desk) => by.post(`/roles/${roleId}/permissions`, override);
    expect(outcome(await give(desk))).toEqual([403, 'privilege_escalation']);
    const scene = { desk, slug: '', id: '' };
    expect(outcome(await give(await memberWith(scene, [[everything]])))).toEqual([
      403,
      'privilege_escalation',
    ]);
    expect((await give(await memberWith(scene, ['admin']))).status).toBe(201);
  });

  it('is not given by a key that assigns a role', async () => {
    const desk = await openDesk(app());
    for (const roleId of [
      await createRole(app(), desk.project, [override]),
      await systemRoleId(app(), desk.project, 'admin'),
    ]) {
      const user = { email: `${roleId}@example.com`, name: 'Member', roleIds: [roleId] };
      expect(outcome(await desk.post('/users', user))).toEqual([403, 'privilege_escalation']);
    }
  });
});
