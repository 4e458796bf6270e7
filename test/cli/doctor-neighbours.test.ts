import { createServer as createTlsServer } from 'node:https';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { linesOf, PASSWORD, searchSettings, statesOf, usePatient } from '../support/doctor-patient.js';
import { hasRedis, hasS3Server } from '../support/optional-servers.js';
import { openOtlpReceiver } from '../support/otlp-receiver.js';
import { makeRedisServer } from '../support/redis-server.js';
import { startS3Server } from '../support/s3-server.js';
import { runCommand } from '../support/service-process.js';

const patient = usePatient();

const s3Settings = (endpoint: string): Record<string, string> => ({
  MEDIA_STORAGE: 's3',
  S3_ENDPOINT: endpoint,
  S3_BUCKET: 'media',
  S3_ACCESS_KEY_ID: 'doctor-key',
  S3_SECRET_ACCESS_KEY: PASSWORD,
});

describe('headwater doctor on other systems', () => {
  it('reports wrong credentials of search, embeddings, edge and mail without printing them', async () => {
    const reports = await patient().examine(
      {
        ...searchSettings(patient().refusingUrl),
        EMBEDDING_URL: patient().refusingUrl,
        EMBEDDING_MODEL: 'small',
        EMBEDDING_KEY: PASSWORD,
        EDGE_PURGE: 'http',
        EDGE_PURGE_URL: patient().refusingUrl,
        EDGE_PURGE_TOKEN: PASSWORD,
        SMTP_URL: `smtp://user:${PASSWORD}@127.0.0.1:${String(patient().hung.port)}`,
        MAIL_FROM: 'cms@example.com',
        SESSION_JWT_ALGORITHM: 'ES256',
        SESSION_JWKS_URL: patient().refusingUrl,
        SESSION_JWT_SECRET: '',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: patient().refusingUrl,
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=${PASSWORD}`,
      },
      3000,
    );
    for (const name of ['search', 'embeddings', 'edge', 'mail', 'collector', 'identity'])
      expect([name, statesOf(reports, name)]).toEqual([name, ['fail']]);
    expect(linesOf(reports, 'search')).toContain('401');
    expect(JSON.stringify(reports)).not.toContain(PASSWORD);
  });

  it('reports neighbours that hang within the time limit and finishes the other checks', async () => {
    const reports = await patient().examine(
      {
        ...searchSettings(patient().hung.url),
        ...s3Settings(patient().hung.url),
        EDGE_PURGE: 'varnish',
        EDGE_PURGE_URL: `${patient().hung.url},https://127.0.0.1:${String(patient().hung.port)}`,
        MEDIA_SCANNER: `clamd://127.0.0.1:${String(patient().hung.port)}`,
        REDIS_URL: `redis://127.0.0.1:${String(patient().hung.port)}`,
        OTEL_EXPORTER_OTLP_ENDPOINT: patient().hung.url,
      },
      2000,
    );
    for (const name of ['search', 'storage', 'edge', 'scanner', 'redis', 'collector', 'certificates'])
      expect([name, linesOf(reports, name)]).toEqual([name, expect.stringMatching(/^fail: .* — check /)]);
    expect(statesOf(reports, 'roles')).toEqual(['ok', 'ok']);
  });

  it('sends an export of nothing to the collector of traces and metrics', async () => {
    const collector = await openOtlpReceiver();
    const headers = 'authorization=Bearer%20of%20the%20collector';
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: headers };
    const reports = await patient().examine(settings, 3000);
    collector.close();
    expect(linesOf(reports, 'collector')).toBe(
      'ok: collector: accepts traces\nok: collector: accepts metrics',
    );
    expect(collector.exports.map(({ path: asked }) => asked).sort()).toEqual(['/v1/metrics', '/v1/traces']);
    for (const { headers: sent } of collector.exports)
      expect(sent.authorization).toBe('Bearer of the collector');
    expect(collector.spans()).toEqual([]);
  });

  it('reports a certificate that no authority has signed, and one that ends soon', async () => {
    const file = (name: string): string => path.join(patient().folder, name);
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '9',
        '-keyout',
        file('key.pem'),
        '-out',
        file('certificate.pem'),
        ...subject,
      ],
      { stdio: 'ignore' },
    );
    const server = createTlsServer({
      key: await readFile(file('key.pem')),
      cert: await readFile(file('certificate.pem')),
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://localhost:${String((server.address() as AddressInfo).port)}`;
    const reports = await patient().examine({ PUBLIC_BASE_URL: url });
    expect(linesOf(reports, 'certificates')).toMatch(
      /^fail: .*PUBLIC_BASE_URL .*: DEPTH_ZERO_SELF_SIGNED_CERT/,
    );
    const { output } = await runCommand(patient().databaseUrl, ['doctor'], {
      HEADWATER_DATA_DIR: patient().folder,
      PUBLIC_BASE_URL: url,
      NODE_EXTRA_CA_CERTS: file('certificate.pem'),
    });
    server.close();
    expect(output).toContain(
      `warn: certificates: PUBLIC_BASE_URL (${new URL(url).host}): valid for 9 days — renew it`,
    );
  });

  (hasS3Server ? it : it.skip)(
    'judges credentials of a bucket by writing, reading and removing an object',
    async () => {
      const server = await startS3Server();
      const { endpoint, bucket, accessKeyId, secretAccessKey } = server.settings;
      const right = { ...s3Settings(endpoint), S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId };
      const good = await patient().examine({ ...right, S3_SECRET_ACCESS_KEY: secretAccessKey });
      const bad = await patient().examine(right);
      await server.stop();
      expect(linesOf(good, 'storage')).toContain('ok: storage: an object was written, read and removed (s3)');
      expect(linesOf(bad, 'storage')).toMatch(/^fail: storage: it responded with 403 — check S3_ENDPOINT/);
    },
  );

  (hasRedis ? it : it.skip)('finds a Redis that responds', async () => {
    const redis = await makeRedisServer();
    await redis.start();
    const reports = await patient().examine({ REDIS_URL: redis.url });
    await redis.kill();
    expect(statesOf(reports, 'redis')).toEqual(['ok']);
  });
});
