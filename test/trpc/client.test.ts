import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import type { AppRouter } from '../../src/procedures/index.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import { createProject, superAdmin, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { useApp } from '../support/desk.js';

const app = useApp();
let project: TestProject;

beforeAll(async () => {
  project = await createProject(app());
  await createArticleTypes(app(), project);
});

/** A typed client as an admin app creates one; `requests` counts HTTP requests. */
function clientWith(key: string | undefined) {
  const requests: string[] = [];
  const client = createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: `${app().baseUrl}/api/trpc`,
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        fetch: (address, options) => {
          const url = address instanceof Request ? address.url : String(address);
          requests.push(url);
          return fetch(url, options as RequestInit);
        },
      }),
    ],
  });
  return { client, requests };
}

async function failureOf(call: Promise<unknown>): Promise<TRPCClientError<AppRouter>> {
  const failure: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof TRPCClientError) return failure as TRPCClientError<AppRouter>;
  throw new Error('the call did not fail as tRPC calls do');
}

describe('Typed tRPC client', () => {
  verifies('entries/write');

  it('creates, updates, publishes and reads an entry by registry names', async () => {
    const { client } = clientWith(project.keys.management);
    const { slug: projectSlug, siteId } = project;
    const fields = { title: 'By tRPC' };
    const { data: made } = await client.entries.create.mutate({
      projectSlug,
      contentTypeApiName: 'article',
      siteId,
      fields,
    });
    expect(made).toMatchObject({ version: 1, status: 'draft', fields });
    const { id } = made;
    await client.entries.update.mutate({ projectSlug, id, version: 1, fields: { title: 'Changed' } });
    const { data: live } = await client.entries.publish.mutate({ projectSlug, id });
    expect(live).toMatchObject({ version: 2, status: 'published' });
    const { data: read } = await client.delivery.getEntry.query({ projectSlug, siteSlug: 'main', id });
    expect(read.fields.title).toBe('Changed');
  });

  it('takes the number of a version as a number', async () => {
    verifies('http/input-typed');
    const { client } = clientWith(project.keys.management);
    const { slug: projectSlug } = project;
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'One' },
    });
    const { data } = await client.entries.getVersion.query({ projectSlug, id, versionNum: 1 });
    expect(data.versionNum).toBe(1);
    await client.entries.restoreVersion.mutate({ projectSlug, id, versionNum: data.versionNum });
    for (const versionNum of [0, -1, 3_000_000_000]) {
      const failure = await failureOf(client.entries.getVersion.query({ projectSlug, id, versionNum }));
      expect(failure.data).toMatchObject({ httpStatus: 404, error: 'version_not_found' });
    }
    const failure = await failureOf(
      client.entries.getVersion.query({ projectSlug, id, versionNum: '1' as unknown as number }),
    );
    expect(failure.data).toMatchObject({ httpStatus: 422 });
  });

  it('calls platform operations with a session', async () => {
    const { client } = clientWith(await superAdmin(app()));
    const { data } = await client.tenants.get.query({ tenantSlug: project.tenantSlug });
    expect(data.slug).toBe(project.tenantSlug);
  });

  it('reads published content without a credential', async () => {
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'Open' },
    });
    await publish(app(), project, id);
    const { client } = clientWith(undefined);
    const { data } = await client.delivery.getEntry.query({
      projectSlug: project.slug,
      siteSlug: 'main',
      id,
    });
    expect(data._id).toBe(id);
  });

  it('batches concurrent calls into one request with separate failures', async () => {
    const { client, requests } = clientWith(project.keys.management);
    const { slug: projectSlug } = project;
    const [types, missing, sites] = await Promise.allSettled([
      client.contentTypes.list.query({ projectSlug }),
      client.contentTypes.get.query({ projectSlug, apiName: 'nothing' }),
      client.sites.list.query({ projectSlug }),
    ]);
    expect([types.status, missing.status, sites.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(requests).toHaveLength(1);
  });

  it('lets exactly one of several concurrent writers of a version succeed', async () => {
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'Race' },
    });
    const { client } = clientWith(project.keys.management);
    const writes = Array.from({ length: 20 }, (_, index) =>
      client.entries.update.mutate({
        projectSlug: project.slug,
        id,
        version: 1,
        fields: { title: `Writer ${String(index)}` },
      }),
    );
    const outcomes = await Promise.allSettled(writes);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const codes = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as TRPCClientError<AppRouter>).data?.error] : [],
    );
    expect(codes).toEqual(Array.from({ length: 19 }, () => 'version_conflict'));
  });
});

describe('tRPC errors', () => {
  it('have our code, status and details, and no stack', async () => {
    const { client } = clientWith(project.keys.management);
    const { data, message } = await failureOf(
      client.contentTypes.get.query({ projectSlug: project.slug, apiName: 'nothing' }),
    );
    expect(data).toEqual({ code: 'NOT_FOUND', httpStatus: 404, error: 'content_type_not_found' });
    expect(message).toBe('Content type not found.');
  });

  it('list the issues of invalid input, one per unknown key', async () => {
    const { client } = clientWith(project.keys.management);
    const input = { projectSlug: project.slug, limit: 101, colour: 'red', size: 1 };
    const { data } = await failureOf(client.sites.list.query(input));
    expect(data).toMatchObject({ httpStatus: 422, error: 'validation_failed' });
    const { issues } = data?.details as { issues: { path: string[]; code: string }[] };
    expect(issues.map(({ path }) => path)).toEqual([['limit'], ['colour'], ['size']]);
  });

  it.each([
    { given: 'no credential', key: undefined, error: 'unauthorized' },
    { given: 'an unknown key', key: 'hwm_nonsense', error: 'invalid_api_key' },
  ])('return the authentication error for $given', async ({ key, error }) => {
    const { client } = clientWith(key);
    const { data } = await failureOf(client.sites.list.query({ projectSlug: project.slug }));
    expect(data).toMatchObject({ error, httpStatus: 401 });
  });

  it('name the accepted key type', async () => {
    const { client } = clientWith(project.keys.delivery);
    const { data } = await failureOf(client.sites.list.query({ projectSlug: project.slug }));
    expect(data).toMatchObject({ error: 'wrong_key_type', httpStatus: 403 });
  });

  it('are 404 for an unknown procedure', async () => {
    const answer = await app().request.get('/api/trpc/entries.explode');
    expect([answer.status, answer.body.error.data.error]).toEqual([404, 'not_found']);
  });
});
