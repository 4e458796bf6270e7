import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { credentialsFile } from '../../src/cli/client/credentials.js';
import { OperationsClient } from '../../src/cli/client/operations-client.js';
import { loadDemo, type LoadedDemo } from '../../src/cli/demo/load-demo.js';
import { openCliHost, type CliHost } from './cli-host.js';

const projectSlug = 'demo';
const names = ['editor', 'translator', 'reviewer'] as const;
let host: CliHost;
let demo: LoadedDemo;

const load = (): Promise<LoadedDemo> =>
  loadDemo({ composition: host.composition, dataDirectory: host.dataDirectory, baseUrl: 'http://127.0.0.1' });

async function clientOf(name: (typeof names)[number], { members }: LoadedDemo): Promise<OperationsClient> {
  const login = members[name];
  if (login === undefined) throw new Error(`no login of the ${name}`);
  return OperationsClient.login(host.composition, login);
}

const tasksOf = async (name: (typeof names)[number]) => {
  const { data } = await (await clientOf(name, demo)).call('tasks', 'list', { projectSlug });
  return data.map(({ kind, title, locale, state }) => ({ kind, title, locale, state }));
};

async function counts(): Promise<Record<string, number>> {
  const client = await OperationsClient.login(host.composition, demo.superAdmin);
  const [users, roles, workflows, entries] = await Promise.all([
    client.call('users', 'list', { projectSlug }),
    client.call('roles', 'list', { projectSlug }),
    client.call('workflows', 'list', { projectSlug }),
    client.call('entries', 'list', { projectSlug }),
  ]);
  const total = ({ meta }: { meta: { total: number } }) => meta.total;
  return {
    users: total(users),
    roles: total(roles),
    workflows: total(workflows),
    entries: total(entries),
  };
}

beforeAll(async () => {
  host = await openCliHost();
  demo = await load();
}, 120_000);

afterAll(() => host.close());

describe('The members of the demo', () => {
  it('each have a task waiting after they log in', async () => {
    expect(await tasksOf('editor')).toEqual([
      { kind: 'transition', title: 'Notes for a spring walk', locale: null, state: 'draft' },
    ]);
    expect(await tasksOf('translator')).toMatchObject([{ kind: 'translation', locale: 'fr' }]);
    expect(await tasksOf('reviewer')).toEqual([
      { kind: 'approval', title: 'How a narrowboat turns', locale: null, state: 'in_review' },
    ]);
  });

  it('find no article that was published without an approval', async () => {
    const client = await OperationsClient.login(host.composition, demo.superAdmin);
    await client.call('governance', 'analyze', { projectSlug });
    const detector = ['skipped_workflow' as const, 'self_approval' as const];
    const { data } = await client.call('governance', 'listIssues', { projectSlug, detector });
    expect(data.map((issue) => `${issue.detector}: ${issue.subject.name}`)).toEqual([]);
  });

  it('have the permissions of their tasks and no others', async () => {
    const reviewer = await clientOf('reviewer', demo);
    const { data } = await reviewer.call('tasks', 'list', { projectSlug });
    const entryId = data[0]?.entryId ?? '';
    await expect(reviewer.call('entries', 'delete', { projectSlug, id: entryId })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    const approved = await reviewer.call('entries', 'transition', {
      projectSlug,
      id: entryId,
      to: 'approved',
    });
    expect(approved.data.state).toBe('approved');
    expect(await tasksOf('reviewer')).toEqual([]);
  });

  it('are not duplicated by a second load, which returns the same logins', async () => {
    const before = await counts();
    expect(await load()).toEqual(demo);
    expect(await counts()).toEqual(before);
    expect(before).toMatchObject({ entries: 21 });
  });

  it('get new passwords when the credentials are lost', async () => {
    const before = await counts();
    await rm(credentialsFile(host.dataDirectory));
    const next = await load();
    for (const name of names) {
      expect(next.members[name]?.email).toBe(demo.members[name]?.email);
      await clientOf(name, next);
      await expect(clientOf(name, demo)).rejects.toMatchObject({ code: 'invalid_credentials' });
    }
    demo = next;
    expect(await counts()).toEqual(before);
  });

  it('are not created again after an admin removes them', async () => {
    const client = await OperationsClient.login(host.composition, demo.superAdmin);
    const { data } = await client.call('users', 'list', { projectSlug, q: demo.members.editor?.email ?? '' });
    await client.call('users', 'remove', { projectSlug, id: data[0]?.id ?? '' });
    const before = await counts();
    await load();
    expect(await counts()).toEqual(before);
  });
});
