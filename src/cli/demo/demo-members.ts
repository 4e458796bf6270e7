import { randomBytes } from 'node:crypto';
import { isAppError, type Login, type OperationsClient } from '../client/operations-client.js';
import type { DemoMembers } from '../client/credentials.js';
import { demoPlaces } from './demo-places.js';
import team from './members.json' with { type: 'json' };

const { projectSlug } = demoPlaces;
const newPassword = (): string => randomBytes(18).toString('base64url');
const keyOf = (key: string): keyof DemoMembers => key as keyof DemoMembers;

/** Ids of the demo's members by email address. */
async function memberIds(client: OperationsClient): Promise<ReadonlyMap<string, string>> {
  const { data } = await client.call('users', 'list', { projectSlug, q: '@headwater.example', limit: 100 });
  return new Map(data.map(({ email, id }) => [email, id]));
}

async function renewPassword(client: OperationsClient, id: string, email: string): Promise<Login> {
  const { data } = await client.call('users', 'resetPassword', { projectSlug, id });
  const password = newPassword();
  await client.call('sessions', 'resetPassword', { resetToken: data.resetToken, newPassword: password });
  return { email, password };
}

/** New passwords for the members that the project still has. */
export async function renewDemoLogins(client: OperationsClient): Promise<DemoMembers> {
  const ids = await memberIds(client);
  const logins: DemoMembers = {};
  for (const { key, email } of team.members) {
    const id = ids.get(email);
    if (id !== undefined) logins[keyOf(key)] = await renewPassword(client, id, email);
  }
  return logins;
}

async function roleIds(client: OperationsClient): Promise<(slugs: readonly string[]) => string[]> {
  const { data } = await client.call('roles', 'list', { projectSlug, limit: 100 });
  return (slugs) => data.filter(({ slug }) => slugs.includes(slug)).map(({ id }) => id);
}

async function ensureWorkflow(
  client: OperationsClient,
  idsOf: (slugs: readonly string[]) => string[],
): Promise<void> {
  const { transitions, ...workflow } = team.workflow;
  const input = {
    ...workflow,
    enforcement: 'advisory' as const,
    transitions: transitions.map(({ approvals, ...transition }) => ({
      ...transition,
      ...(approvals && { approvals: { required: approvals.required, roleIds: idsOf(approvals.roles) } }),
    })),
  };
  await client.call('workflows', 'create', { projectSlug, ...input }).catch((error: unknown) => {
    if (!isAppError(error, 'slug_conflict')) throw error;
  });
}

/** Creates the workflow of articles and the members that are missing. */
export async function ensureDemoMembers(client: OperationsClient, known: DemoMembers): Promise<DemoMembers> {
  const idsOf = await roleIds(client);
  await ensureWorkflow(client, idsOf);
  const ids = await memberIds(client);
  const logins: DemoMembers = {};
  for (const { key, email, name, roles } of team.members) {
    const id = ids.get(email);
    const stored = known[keyOf(key)];
    if (id !== undefined) {
      logins[keyOf(key)] = stored ?? (await renewPassword(client, id, email));
      continue;
    }
    const password = stored?.password ?? newPassword();
    await client.call('users', 'create', { projectSlug, email, name, password, roleIds: idsOf(roles) });
    logins[keyOf(key)] = { email, password };
  }
  return logins;
}

/** Gives each member something to do. */
export async function assignDemoTasks(
  client: OperationsClient,
  entryId: (name: string) => string,
): Promise<void> {
  const ids = await memberIds(client);
  const idOf = (key: string) => ids.get(team.members.find((member) => member.key === key)?.email ?? '');
  const { edit, translate, review } = team.tasks;
  const edited = await client.call('entries', 'get', { projectSlug, id: entryId(edit) });
  const { id, version } = edited.data;
  await client.call('entries', 'update', { projectSlug, id, version, assigneeId: idOf('editor') });
  const { entry, locale } = translate;
  const translation = { entryId: entryId(entry), locale, assigneeId: idOf('translator') };
  await client.call('translations', 'update', { projectSlug, ...translation });
  const submitted = { projectSlug, id: entryId(review), to: 'in_review' };
  await client.call('entries', 'transition', submitted).catch((error: unknown) => {
    // An earlier run has submitted it.
    if (!isAppError(error, 'invalid_transition')) throw error;
  });
}
