import { newPassword } from '../client/admin-session.js';
import { OperationsClient, unlessRefused } from '../client/operations-client.js';
import type { Login } from '../client/rest-operations.js';
import type { DemoMembers } from '../client/credentials.js';
import { demoPlaces } from './demo-project.js';
import team from './members.json' with { type: 'json' };

const { projectSlug } = demoPlaces;
const keyOf = (key: string): keyof DemoMembers => key as keyof DemoMembers;

/** Ids of the demo's members by email address. */
async function memberIds(client: OperationsClient): Promise<Map<string, string>> {
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
  const { data } = await client.call('workflows', 'list', { projectSlug, limit: 100 });
  if (data.some(({ slug }) => slug === workflow.slug)) return;
  const input = {
    ...workflow,
    enforcement: 'advisory' as const,
    transitions: transitions.map(({ approvals, ...transition }) => ({
      ...transition,
      ...(approvals && { approvals: { required: approvals.required, roleIds: idsOf(approvals.roles) } }),
    })),
  };
  await client.call('workflows', 'create', { projectSlug, ...input });
}

/**
 * Creates the workflow of articles and the members that are missing.
 * @returns the logins, and the ids by email address
 */
export async function ensureDemoMembers(
  client: OperationsClient,
  known: DemoMembers,
): Promise<{ logins: DemoMembers; ids: ReadonlyMap<string, string> }> {
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
    const member = { email, name, password, roleIds: idsOf(roles) };
    const { data } = await client.call('users', 'create', { projectSlug, ...member });
    ids.set(email, data.id);
    logins[keyOf(key)] = { email, password };
  }
  return { logins, ids };
}

/** Whether entries of a type are reviewed before they are published. */
export const isReviewed = (type: string): boolean => team.workflow.contentTypes.includes(type);

/** Makes the transition unless the entry is in another state, which an earlier run has left it in. */
const move = (client: OperationsClient, id: string, to: string): Promise<unknown> =>
  unlessRefused(client.call('entries', 'transition', { projectSlug, id, to }), 'invalid_transition');

/** Submits an entry, which the reviewer of the demo approves. */
export async function openReview(
  client: OperationsClient,
  { reviewer: login }: DemoMembers,
): Promise<(id: string) => Promise<void>> {
  if (login === undefined) throw new Error('the demo has no reviewer');
  const reviewer = await OperationsClient.login(client.host, login);
  return async (id) => {
    await move(client, id, 'in_review');
    await move(reviewer, id, 'approved');
  };
}

/** Gives each member something to do. */
export async function assignDemoTasks(
  client: OperationsClient,
  ids: ReadonlyMap<string, string>,
  entryId: (name: string) => string,
): Promise<void> {
  const idOf = (key: string) => ids.get(team.members.find((member) => member.key === key)?.email ?? '');
  const { edit, translate, review } = team.tasks;
  const edited = await client.call('entries', 'get', { projectSlug, id: entryId(edit) });
  const { id, version } = edited.data;
  await client.call('entries', 'update', { projectSlug, id, version, assigneeId: idOf('editor') });
  const { entry, locale } = translate;
  const translation = { entryId: entryId(entry), locale, assigneeId: idOf('translator') };
  await client.call('translations', 'update', { projectSlug, ...translation });
  for (const state of ['draft', 'in_review']) await move(client, entryId(review), state);
}
