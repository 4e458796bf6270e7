import { beforeAll, describe, expect, it } from '@jest/globals';
import { actionsOf, send } from '../../support/call.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import {
  createMember,
  memberPassword,
  sessionWith,
  systemRoleId,
  type TestMember,
} from '../../support/members.js';
import { challengeOf, codeOf, enableSecondFactor } from '../../support/second-factor.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
});

const newMember = (): Promise<TestMember> => createMember(app(), desk.project, []);

const getOwn = (path: string, { token: key }: TestMember) =>
  send(app(), { method: 'GET', path: `/api/v1/me${path}`, key });
const login = ({ email }: TestMember) =>
  send(app(), { method: 'POST', path: '/api/v1/auth/login', body: { email, password: memberPassword } });
const complete = (token: string, code: string) =>
  send(app(), { method: 'POST', path: '/api/v1/auth/second-factor', body: { token, code } });

describe('The reset of a second factor', () => {
  verifies('access/second-factor-reset');

  const reset = (id: string, key: string) =>
    send(app(), {
      method: 'POST',
      path: `${desk.project.management}/users/${id}/second-factor-reset`,
      key,
    });

  it('by an admin removes it, ends the sessions and the open login, and is recorded', async () => {
    const member = await newMember();
    const { secret } = await enableSecondFactor(app(), member);
    const token = await challengeOf(app(), member);
    const admin = await sessionWith(app(), desk.project, 'admin');
    const answer = await reset(member.id, admin);
    expect(answer.body.data).toMatchObject({ id: member.id, secondFactor: false });
    expect(await actionsOf(app(), answer)).toEqual(['user.second_factor_reset']);
    expect(outcome(await getOwn('', member))).toEqual([401, 'invalid_session']);
    expect(outcome(await complete(token, codeOf(secret)))).toEqual([401, 'invalid_challenge']);
    expect((await login(member)).body.data.accessToken).toEqual(expect.any(String));
    expect(outcome(await reset(member.id, admin))).toEqual([409, 'second_factor_not_enabled']);
  });

  it('is refused to keys, to members without the power, and for oneself', async () => {
    const member = await newMember();
    await enableSecondFactor(app(), member);
    const owner = await createMember(app(), desk.project, [await systemRoleId(app(), desk.project, 'owner')]);
    await enableSecondFactor(app(), owner);
    const admin = await sessionWith(app(), desk.project, 'admin');
    const editor = await sessionWith(app(), desk.project, 'editor');
    expect(outcome(await reset(member.id, desk.project.keys.management))).toEqual([403, 'permission_denied']);
    expect(outcome(await reset(member.id, editor))).toEqual([403, 'permission_denied']);
    expect(outcome(await reset(owner.id, admin))).toEqual([403, 'privilege_escalation']);
    expect(outcome(await reset(owner.id, owner.token))).toEqual([403, 'privilege_escalation']);
    expect((await getOwn('/second-factor', owner)).body.data.isEnabled).toBe(true);
  });
});
