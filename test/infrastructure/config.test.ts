import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig, settingDescriptions } from '../../src/process/config/config.js';

const secret = 'x'.repeat(32);
const external = { DATABASE_URL: 'postgres://owner:pw@db.example/headwater' };

function refusal(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('The settings were taken.');
}

describe('the settings', () => {
  it('starts without settings: embedded database, demo content, port 4000', () => {
    expect(readConfig({})).toMatchObject({
      http: { host: '127.0.0.1', port: 4000, mcpAllowedOrigins: [] },
      database: { external: undefined, migrateAtStart: true, seedDemo: true },
      session: { algorithm: 'HS256', issuer: 'headwater', audience: 'headwater' },
      queries: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
    });
  });

  it('sends mails with a server and a sender', () => {
    const SMTP_URL = 'smtps://user:pw@mail.example.com';
    const smtpOf = (MAIL_FROM: string) => readConfig({ SMTP_URL, MAIL_FROM }).mail.smtp;
    expect(readConfig({}).mail.smtp).toBeUndefined();
    expect(smtpOf('Head Water <cms@example.com>')).toEqual({
      url: SMTP_URL,
      name: 'Head Water',
      address: 'cms@example.com',
    });
    expect(smtpOf('cms@example.com')).toMatchObject({ name: '', address: 'cms@example.com' });
    expect(refusal({ SMTP_URL })).toBe('Wrong settings: SMTP_URL and MAIL_FROM must be set together.');
    expect(refusal({ SMTP_URL: 'https://mail.example.com', MAIL_FROM: 'a@example.com' })).toContain(
      'SMTP_URL',
    );
    for (const wrong of ['nobody', 'A <b@example.com', 'A\nBcc: b@example.com <c@example.com>'])
      expect(refusal({ SMTP_URL, MAIL_FROM: wrong })).toContain('MAIL_FROM must be an address');
  });

  it('treats an empty setting as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual(readConfig({}));
  });

  it('loads no demo content into an external database unless configured', () => {
    const config = readConfig({ ...external, SESSION_JWT_SECRET: secret });
    expect(config).toMatchObject({
      database: { external: { ownerUrl: external.DATABASE_URL }, migrateAtStart: false, seedDemo: false },
    });
    expect(
      readConfig({ ...external, SESSION_JWT_SECRET: secret, HEADWATER_SEED_DEMO: '1' }).database.seedDemo,
    ).toBe(true);
  });

  it('parses a list of origins without final slashes', () => {
    const config = readConfig({
      MCP_ALLOWED_ORIGINS: 'https://a.example/, https://b.example,',
      PUBLIC_BASE_URL: 'https://cms.example/',
    });
    expect(config.http.mcpAllowedOrigins).toEqual(['https://a.example', 'https://b.example']);
    expect(config.http.publicBaseUrl).toBe('https://cms.example');
  });

  it('searches OpenSearch where it is chosen, with credentials of their own', () => {
    const url = 'http://search.example:9200/';
    expect(readConfig({ OPENSEARCH_URL: url }).search.openSearch).toBeUndefined();
    const chosen = { SEARCH_PROVIDER: 'opensearch', OPENSEARCH_URL: url };
    expect(readConfig({ ...chosen, OPENSEARCH_USERNAME: 'w', OPENSEARCH_PASSWORD: 'pw' }).search).toEqual({
      openSearch: {
        url: 'http://search.example:9200',
        username: 'w',
        password: 'pw',
        prefix: 'headwater',
        timeoutMilliseconds: 5000,
      },
    });
    expect(refusal({ SEARCH_PROVIDER: 'opensearch', OPENSEARCH_PASSWORD: 'pw' })).toBe(
      'Wrong settings: OPENSEARCH_URL must be set with SEARCH_PROVIDER=opensearch; OPENSEARCH_PASSWORD can only be used together with OPENSEARCH_USERNAME.',
    );
    expect(refusal({ OPENSEARCH_URL: 'http://w:pw@search.example' })).toBe(
      'Wrong settings: OPENSEARCH_URL must have no credentials: use OPENSEARCH_USERNAME and OPENSEARCH_PASSWORD.',
    );
  });

  it('searches by meaning where a server and its model are set', () => {
    const url = 'http://models.example/v1/';
    const set = { EMBEDDING_URL: url, EMBEDDING_MODEL: 'small', EMBEDDING_KEY: 'k' };
    expect(readConfig(set).search.embedding).toEqual({
      url: 'http://models.example/v1',
      model: 'small',
      key: 'k',
      timeoutMilliseconds: 10_000,
    });
    expect(readConfig({}).search.embedding).toBeUndefined();
    expect(refusal({ EMBEDDING_URL: url })).toContain(
      'EMBEDDING_URL and EMBEDDING_MODEL must be set together',
    );
    expect(refusal({ EMBEDDING_KEY: 'k' })).toContain('EMBEDDING_KEY can only be used together');
    expect(refusal({ ...set, EMBEDDING_URL: 'http://w:pw@models.example' })).toContain(
      'EMBEDDING_URL must have no credentials: use EMBEDDING_KEY',
    );
  });

  it('reports all invalid settings in one line without their values', () => {
    const message = refusal({ PORT: 'abc', DATABASE_URL: 'mysql://pw@x', SESSION_JWT_SECRET: 'short' });
    expect(message).toBe(
      'Wrong settings: PORT must be a whole number from 0 to 65535; DATABASE_URL must be a URL that begins with postgres:// or postgresql://; SESSION_JWT_SECRET must have at least 32 bytes.',
    );
  });

  it.each([
    [
      'an external database without a secret',
      external,
      /^Wrong settings: SESSION_JWT_SECRET is missing: set it/,
    ],
    [
      'a key set with a shared-secret algorithm',
      { SESSION_JWKS_URL: 'https://id.example/keys' },
      /EdDSA, ES256 or/,
    ],
    [
      'an asymmetric algorithm without a key set',
      { SESSION_JWT_ALGORITHM: 'ES256' },
      /SESSION_JWKS_URL is missing/,
    ],
    ['a read URL without the owner', { DATABASE_READ_URL: 'postgres://db/x' }, /together with DATABASE_URL/],
    [
      'an algorithm that signs nothing',
      { SESSION_JWT_ALGORITHM: 'none' },
      /SESSION_JWT_ALGORITHM must be one of/,
    ],
  ])('refuse %s', (_what, env, message) => {
    expect(refusal(env)).toMatch(message);
  });

  it('requires no session settings for commands that only use the database', () => {
    expect(readConfig(external, 'operate').database.external).toEqual({
      ownerUrl: external.DATABASE_URL,
      serviceUrl: undefined,
      readUrl: undefined,
    });
  });

  it('describes every setting', () => {
    expect(settingDescriptions.filter(({ meaning }) => !meaning.endsWith('.'))).toEqual([]);
    expect(settingDescriptions).toContainEqual(
      expect.objectContaining({ name: 'PORT', defaultValue: '4000' }),
    );
  });
});
