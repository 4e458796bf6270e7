import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type JWK,
  type JWTPayload,
} from 'jose';
import { startTestApp, type TestApp } from '../../support/app.js';
import { send } from '../../support/call.js';
import { outcome } from '../../support/desk.js';
import { createAdmin } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

type Algorithm = 'EdDSA' | 'ES256' | 'RS256';

/** A fake identity provider with a key set endpoint. */
class Provider {
  readonly keys: JWK[] = [];
  status = 200;
  asked = 0;
  readonly server = http.createServer((_request, response) => {
    this.asked += 1;
    response.writeHead(this.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ keys: this.keys }));
  });

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/keys`;
  }
}

async function keyOf(algorithm: Algorithm, kid: string) {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { publicKey, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' } };
}

const provider = new Provider();
let app: TestApp;
let userId = '';
let key: Awaited<ReturnType<typeof keyOf>>;

const claims = (changes: object = {}): JWTPayload => {
  const iat = Math.floor(Date.now() / 1000);
  return { sub: userId, iss: 'https://id.example', aud: 'cms', iat, exp: iat + 600, jti: 'j', ...changes };
};
const sign = (
  changes: object = {},
  header: object = {},
  signer: Parameters<SignJWT['sign']>[0] = key.privateKey,
) =>
  new SignJWT(claims(changes))
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'one', ...header })
    .sign(signer);
const use = (token: string) => send(app, { method: 'GET', path: '/api/v1/platform/tenants', key: token });

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
  key = await keyOf('ES256', 'one');
  provider.keys.push(key.jwk);
  app = await startTestApp({
    tokens: { algorithm: 'ES256', issuer: 'https://id.example', audience: 'cms', jwksUrl: provider.url },
  });
  const { email } = await createAdmin(app);
  const [user] = await app.rows<{ id: string }>(null, 'SELECT id FROM users WHERE email = $1', [email]);
  userId = user?.id ?? '';
});

afterAll(async () => {
  await app.close();
  await new Promise((resolve) => provider.server.close(resolve));
});

describe('A token of an identity provider', () => {
  verifies('access/identity-provider-keys', 'access/token-verification');

  it('accepts a token signed by the identity provider and fetches its key once', async () => {
    const before = provider.asked;
    for (let call = 0; call < 3; call += 1)
      expect(outcome(await use(await sign()))).toEqual([200, undefined]);
    expect(provider.asked - before).toBeLessThanOrEqual(1);
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }, {}],
    ['another audience', { aud: 'other' }, {}],
    ['another type', {}, { typ: 'id+jwt' }],
    ['an unknown key', {}, { kid: 'two' }],
    ['no expiry', { exp: undefined }, {}],
    ['a life of more than an hour', { exp: Math.floor(Date.now() / 1000) + 7200 }, {}],
    ['a subject that is no user', { sub: 'nobody' }, {}],
  ])('rejects a token with %s', async (_reason, changes, header) => {
    expect(outcome(await use(await sign(changes, header)))).toEqual([401, 'invalid_session']);
  });

  it('rejects an expired token of the identity provider', async () => {
    const past = Math.floor(Date.now() / 1000) - 4000;
    const answer = await use(await sign({ iat: past, exp: past + 600 }));
    expect(outcome(answer)).toEqual([401, 'session_expired']);
  });

  it('rejects another signature, no signature, and the public key used as a secret', async () => {
    const stranger = await keyOf('ES256', 'one');
    const rsa = await keyOf('RS256', 'one');
    const secret = Buffer.from(await exportSPKI(key.publicKey), 'utf8');
    const tokens = [
      await sign({}, {}, stranger.privateKey),
      await sign({}, { alg: 'RS256' }, rsa.privateKey),
      await sign({}, { alg: 'HS256' }, secret),
      await sign({}, { alg: 'HS256' }, Buffer.from(JSON.stringify(key.jwk), 'utf8')),
      new UnsecuredJWT(claims()).encode(),
    ];
    for (const token of tokens) expect(outcome(await use(token))).toEqual([401, 'invalid_session']);
  });

  it('does not fetch the keys again for every unknown key id', async () => {
    const before = provider.asked;
    for (let call = 0; call < 5; call += 1) await use(await sign({}, { kid: `unknown-${String(call)}` }));
    expect(provider.asked - before).toBeLessThanOrEqual(1);
  });

  it('issues no tokens while an identity provider is configured', async () => {
    const body = await createAdmin(app);
    const answer = await send(app, { method: 'POST', path: '/api/v1/auth/login', body });
    expect(outcome(answer)).toEqual([401, 'invalid_credentials']);
  });
});

describe('A provider', () => {
  verifies('access/identity-provider-keys');

  it.each<Algorithm>(['EdDSA', 'RS256'])('accepts tokens signed with %s', async (algorithm) => {
    const pair = await keyOf(algorithm, 'pair');
    provider.keys.push(pair.jwk);
    const { composition, close } = await startTestApp({
      tokens: { algorithm, issuer: 'https://id.example', audience: 'cms', jwksUrl: provider.url },
    });
    const token = await sign({}, { alg: algorithm, kid: 'pair' }, pair.privateKey);
    const { userId: known } = await composition.services.tokens.verify(token, new Date());
    expect(known).toBe(userId);
    await expect(composition.services.tokens.verify(await sign(), new Date())).rejects.toMatchObject({
      code: 'invalid_session',
    });
    await close();
    provider.keys.pop();
  });

  it.each([500, 404])('returns 503, not 401, while the provider responds with %d', async (status) => {
    provider.status = status;
    const { composition, close } = await startTestApp({
      tokens: { algorithm: 'ES256', issuer: 'https://id.example', audience: 'cms', jwksUrl: provider.url },
    });
    await expect(composition.services.tokens.verify(await sign(), new Date())).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    await close();
    provider.status = 200;
  });
});
