import { randomBytes } from 'node:crypto';
import http, { type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { z } from 'zod';
import { isSecretName } from '../../src/infrastructure/redaction.js';
import { openDesk, useOwnApp } from '../support/desk.js';
import { operations } from '../support/operations.js';
import { secretPlaces, secretsAt } from '../support/secrets/secret-places.js';
import { SecretWatch, type LookedAt } from '../support/secrets/secret-watch.js';
import { lookAtRows } from '../support/secrets/stored-rows.js';
import { watchedHandler } from '../support/secrets/watched-handler.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp();
const secret = `canary-"${randomBytes(16).toString('base64')}`;
const other = `hwm_${randomBytes(24).toString('hex')}`;

function watching(): SecretWatch {
  const watch = new SecretWatch();
  watch.learn(secret, 'password');
  watch.learn(other, 'API key');
  return watch;
}

const told = ({ findings }: LookedAt): string[] =>
  findings.map(({ kind, place, where }) => `${kind} in ${place} (${where})`);

/** The findings of one request to a leaking service. */
async function leak(
  handler: RequestListener,
  ask: (request: ReturnType<typeof supertest>) => supertest.Test,
  watch = watching(),
): Promise<string[]> {
  const server = http.createServer(watchedHandler(handler, operations, { secrets: watch }));
  await ask(supertest(server));
  return told(watch.settle());
}

const answering =
  (status: number, body: unknown): RequestListener =>
  (request, response) => {
    request.resume().once('end', () => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
  };

describe('The secret watch', () => {
  verifies('operation/no-secrets');

  it('finds a secret in a log line, whatever surrounds it', () => {
    const watch = watching();
    watch.line(JSON.stringify({ msg: 'request', url: `/x?y=${other}z` }));
    watch.line(JSON.stringify({ msg: 'failed', err: { message: `cannot log in with ${secret}` } }));
    watch.line(`no JSON, encoded: ${encodeURIComponent(secret)}`);
    watch.line(JSON.stringify({ msg: 'request', prefix: other.slice(0, 4), lastFour: other.slice(-4) }));
    expect(told(watch.settle())).toEqual([
      'API key in log line (request)',
      'password in log line (failed)',
      'password in log line (a line that is not JSON)',
    ]);
    expect(told(watch.settle())).toEqual([]);
  });

  it('finds a secret registered after it appeared', () => {
    const watch = new SecretWatch();
    watch.line(JSON.stringify({ msg: 'early', secret }));
    watch.learn(secret, 'password');
    expect(told(watch.settle())).toEqual(['password in log line (early)']);
  });

  it('finds a secret in an error body on every surface', async () => {
    for (const address of ['/api/v1/x', '/api/trpc/x.y', '/api/graphql/x', '/api/mcp/x'])
      expect(
        await leak(answering(422, { error: 'x', message: secret }), (to) => to.post(address).send({})),
      ).toEqual([`password in answer (POST ${address})`]);
  });

  it('finds a secret in a list, in chunks, compressed or in a header', async () => {
    const list = JSON.stringify({ data: [{ name: 'a', secret: other }] });
    const inParts: RequestListener = (_request, response) => {
      response.write(list.slice(0, 40));
      response.end(list.slice(40));
    };
    const packed: RequestListener = (_request, response) => {
      response.setHeader('Content-Encoding', 'gzip').end(gzipSync(list));
    };
    const inHeader: RequestListener = (_request, response) => {
      response.writeHead(201, { Location: `/x/${other}` }).end();
    };
    for (const handler of [inParts, packed, inHeader])
      expect(await leak(handler, (to) => to.get('/api/v1/projects/p/api-keys'))).toEqual([
        'API key in answer (GET /api/v1/projects/p/api-keys)',
      ]);
  });

  it('finds a secret in a URL without printing it', async () => {
    const findings = await leak(answering(404, { message: other }), (to) => to.get(`/api/mcp/${other}`));
    expect(findings).toEqual(['API key in answer (GET /api/mcp/…)']);
  });

  it('finds a secret in audit records and in every other row', async () => {
    const desk = await openDesk(app());
    const [record] = await app().rows<{ id: string }>(
      null,
      `INSERT INTO audit_events (id, tenant_id, at, action, actor, target, after, changed_fields, context, metadata)
       SELECT gen_random_uuid(), tenant_id, now(), action, actor, target, jsonb_build_object('deep', jsonb_build_array($1::text)),
         changed_fields, context, metadata FROM audit_events WHERE tenant_id = $2 LIMIT 1 RETURNING id`,
      [secret, desk.project.tenantId],
    );
    expect(record?.id).toEqual(expect.any(String));
    await app().rows(
      desk.project.tenantId,
      `UPDATE api_keys SET secret_hash = $1 WHERE project_id = $2 AND type = 'delivery'`,
      [Buffer.from(other), desk.project.projectId],
    );
    const watch = watching();
    await lookAtRows(app().databaseUrl, watch);
    const looked = watch.settle();
    expect(told(looked).sort()).toEqual([
      'API key in stored row (public.api_keys)',
      'password in stored row (public.audit_events)',
    ]);
    expect(looked.looks['stored row']).toBeGreaterThan(20);
  });
});

describe('What shows a secret by design', () => {
  verifies('operation/no-secrets');

  const made = `hwm_${randomBytes(24).toString('hex')}`;
  const shown = { data: { id: 'x', secret: made } };

  it('permits the response that reveals a secret, and no other', async () => {
    const watch = watching();
    const create = (to: ReturnType<typeof supertest>) =>
      to.post('/api/v1/projects/p/api-keys').send({ name: 'x' });
    expect(await leak(answering(201, shown), create, watch)).toEqual([]);
    expect(await leak(answering(200, shown), (to) => to.get('/api/v1/projects/p/api-keys/x'), watch)).toEqual(
      ['API key in answer (GET /api/v1/projects/p/api-keys/x)'],
    );
    const over = { result: { data: shown } };
    const call = (name: string) => (to: ReturnType<typeof supertest>) =>
      to.post(`/api/trpc/${name}`).send({});
    expect(await leak(answering(200, over), call('apiKeys.create'), watch)).toEqual([]);
    expect(await leak(answering(200, [over]), call('apiKeys.create,sites.list'), watch)).toEqual([]);
    expect(await leak(answering(200, over), call('apiKeys.update'), watch)).toEqual([
      'API key in answer (POST /api/trpc/apiKeys.update)',
    ]);
    const tool = (name: string) => ({ method: 'tools/call', params: { name } });
    const reply = answering(200, { result: { structuredContent: { details: { confirmToken: made } } } });
    expect(await leak(reply, (to) => to.post('/api/mcp/p').send(tool('publish_entry')), watch)).toEqual([]);
    expect(await leak(reply, (to) => to.post('/api/mcp/p').send(tool('list_sites')), watch)).toEqual([
      'API key in answer (POST /api/mcp/p)',
    ]);
  });

  it("permits a documentation page with the demo's key", async () => {
    const page: RequestListener = (_request, response) => {
      response.end(`<body data-key="${other}">`);
    };
    for (const address of ['/docs', '/api/graphql/demo'])
      expect(await leak(page, (to) => to.get(address))).toEqual([]);
    expect(await leak(page, (to) => to.get('/docs/assets/x.js'))).toHaveLength(1);
  });

  it('accepts passwords in request bodies, and permits them nowhere else', async () => {
    const body = { email: 'a@example.com', password: secret };
    const echo = answering(201, { data: body });
    expect(
      await leak(echo, (to) => to.post('/api/v1/projects/p/users').send(body), new SecretWatch()),
    ).toEqual(['password in answer (POST /api/v1/projects/p/users)']);
  });

  /** Response keys named like a secret that hold none. */
  const harmless = [
    ...['secretPreview', 'headers[].secret', 'tokenType', 'rows[].apiKeyId'],
    ...['allowsPasswords', 'hasClientSecret', 'hasPassword', 'authorizationUrl'],
  ];

  type Schema = z.core.JSONSchema.BaseSchema;

  function namedSecrets(schema: Schema, root: Schema, at = ''): string[] {
    if (at.split('.').length > 6) return [];
    const named = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '')?.[1];
    const { items, properties = {} } = schema;
    const same = [
      root.$defs?.[named ?? ''],
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.allOf ?? []),
    ];
    const inside: [string, unknown][] = [
      ...same.map((part): [string, unknown] => [at, part]),
      [`${at}[]`, items],
      ...Object.entries(properties).map(([name, part]): [string, unknown] => [
        at === '' ? name : `${at}.${name}`,
        part,
      ]),
    ];
    return inside.flatMap(([here, part]) => [
      ...(here !== at && isSecretName(here.slice(at.length)) ? [here] : []),
      ...(typeof part === 'object' && part !== null ? namedSecrets(part as Schema, root, here) : []),
    ]);
  }

  it('lists exactly the response keys that are named like secrets', () => {
    const found = operations.flatMap(({ name, output }) => {
      const schema = z.toJSONSchema(output, { unrepresentable: 'any' });
      return [...new Set(namedSecrets(schema, schema))]
        .filter((key) => !harmless.some((end) => key.endsWith(end)))
        .map((key) => `${name} ${key}`);
    });
    const declared = Object.entries(secretPlaces).flatMap(([name, { shown: places = {} }]) =>
      Object.keys(places).map((key) => `${name} ${key}`),
    );
    // Refusals, URLs that contain a token, and recovery codes.
    const others = new RegExp(
      [
        'details\\.confirmToken$',
        '^(calendar\\.feedUrl|users\\.resetPassword) data\\.url$',
        '^users\\.(create|invite) data\\.invitationUrl$',
        '^oauth\\.consent data\\.redirectTo$',
        '^secondFactor\\.enroll data\\.uri$',
        '^(secondFactor\\.(confirm|renewCodes)|passkeys\\.create) data\\.recoveryCodes\\[\\]$',
      ].join('|'),
    );
    expect(declared.filter((line) => !others.test(line)).sort()).toEqual(found.sort());
    const names = new Set(operations.map(({ name }) => name));
    expect(Object.keys(secretPlaces).filter((name) => !names.has(name))).toEqual([]);
  });

  it('permits webhook headers only if they are not marked as secret', () => {
    const headers = [
      { name: 'A', value: 'open', secret: false },
      { name: 'B', value: 'hidden', secret: true },
      { name: 'C', value: 'plain' },
    ];
    expect(secretsAt({ headers }, secretPlaces['webhooks.create']?.given)).toEqual([
      ['hidden', 'secret header of a webhook'],
    ]);
  });
});
