import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { verifies } from '../support/verifies.js';
import { secretOf, serveFake, type FakeEndpoint } from './fake-service.js';

/** Audits that the endpoint deliberately fails, by id. None is a MUST. */
const expectedFailures: Readonly<Record<string, string>> = {
  '572B': 'A document that does not parse is 400 in every media type, as limits are (rule graphql/failures).',
  FDE2: 'A document that does not fit is 400 in every media type, as limits are (rule graphql/failures).',
  '7B9B': 'Variables that do not fit are 400 in every media type, as limits are (rule graphql/failures).',
};

/** The audits use introspection, which delivery keys may not. */
const fetchWithPreviewKey: typeof fetch = (url, init) =>
  fetch(url, {
    ...init,
    headers: {
      ...(init?.headers as Record<string, string> | undefined),
      authorization: `Bearer ${secretOf('preview')}`,
    },
  });

let endpoint: FakeEndpoint;
const audits = serverAudits({ url: () => endpoint.url, fetchFn: fetchWithPreviewKey });
beforeAll(async () => {
  endpoint = await serveFake();
});
afterAll(() => endpoint.close());

describe('GraphQL over HTTP audits', () => {
  verifies('graphql/http-audits', 'graphql/request');

  it.each(
    audits
      .filter(({ id }) => !(id in expectedFailures))
      .map((audit) => [audit.id, audit.name, audit] as const),
  )('passes audit %s: %s', async (...[, , audit]) => {
    expect(await audit.fn()).toMatchObject({ status: 'ok' });
  });

  it('skips only audits that are optional and that the endpoint fails', async () => {
    const failing = audits.filter(({ id }) => id in expectedFailures);
    expect(failing.map(({ id }) => id).sort()).toEqual(Object.keys(expectedFailures).sort());
    for (const audit of failing) {
      expect(audit.name).not.toMatch(/^MUST/);
      expect((await audit.fn()).status).not.toBe('ok');
    }
  });
});
