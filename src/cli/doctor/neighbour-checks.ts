import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import tls from 'node:tls';
import { EdgeClient } from '../../infrastructure/edge/edge-client.js';
import { HttpEmbedder } from '../../infrastructure/embedding/embedder.js';
import { SmtpSender } from '../../infrastructure/mail/smtp-sender.js';
import { soleNeighbour } from '../../infrastructure/neighbours/neighbours.js';
import { FileScanner } from '../../infrastructure/scanner/file-scanner.js';
import { SearchEngine } from '../../infrastructure/search/search-engine.js';
import { uploadKey } from '../../infrastructure/storage/media-storage.js';
import type { Config } from '../../process/config/config.js';
import { mediaPlace, openStorage } from '../../process/parts/media.js';
import { fail, ok, reasonOf, warn, type Check, type Finding } from './check.js';
import { orUndefined } from '../../infrastructure/promises.js';

/** Least share of a disk that is free. */
const FREE_SHARE = 0.1;

async function checkDisk(directory: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(directory);
  const free = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GB of the data directory are free`;
  return bavail / blocks < FREE_SHARE ? warn(free, 'free space, or move HEADWATER_DATA_DIR') : ok(free);
}

/** Writes, reads and removes one object, where incomplete uploads are: a sweep removes what a crash leaves. */
async function checkStorage(config: Config): Promise<Finding[]> {
  const { directory } = config.storage;
  const isBucket = config.media.usesBucket;
  if (!isBucket && !(await orUndefined(stat(directory)))?.isDirectory())
    return [
      warn(`there is no data directory ${directory}`, 'start the service once, or set HEADWATER_DATA_DIR'),
    ];
  const storage = openStorage(mediaPlace(config));
  const key = uploadKey('doctor', randomUUID());
  const written = Buffer.from(`headwater ${key}`);
  await storage.put(key, { stream: Readable.from([written]), size: written.length });
  try {
    const found = await storage.read(key);
    const read = found === undefined ? undefined : await buffer(found.stream);
    if (read?.equals(written) !== true)
      return [fail('an object that was written cannot be read', 'check the storage for errors')];
  } finally {
    await storage.remove(key);
  }
  const round = ok(`an object was written, read and removed (${storage.kind})`);
  return isBucket ? [round] : [round, await checkDisk(directory)];
}

interface EngineInfo {
  readonly version?: { readonly number?: unknown; readonly distribution?: unknown };
}

async function checkSearch({ search: { openSearch } }: Config): Promise<Finding[]> {
  if (openSearch === undefined) return [ok('the database is searched')];
  const engine = new SearchEngine({ ...openSearch, neighbour: soleNeighbour('search') });
  const { version } = (await engine.send({ method: 'GET', path: '/' })) as EngineInfo;
  if (version?.distribution !== 'opensearch')
    return [fail('OPENSEARCH_URL is not OpenSearch', 'set it to OpenSearch 2 or 3')];
  const { status } = (await engine.send({ method: 'GET', path: '/_cluster/health' })) as { status?: unknown };
  const what = `OpenSearch ${String(version.number)} is ${String(status)}`;
  return [status === 'red' ? fail(what, 'look at its shards, then run npm run reindex') : ok(what)];
}

async function checkEmbeddings(settings: NonNullable<Config['search']['embedding']>): Promise<Finding[]> {
  const embedder = new HttpEmbedder({ ...settings, neighbour: soleNeighbour('embeddings') });
  const [vector] = await embedder.embed(['headwater']);
  return [ok(`vectors of ${String(vector?.length ?? 0)} numbers`)];
}

async function checkScanner(url: string): Promise<Finding[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwater-doctor-'));
  try {
    const file = path.join(folder, 'clean.txt');
    await writeFile(file, 'headwater\n');
    const verdict = await new FileScanner({ url, secret: Buffer.alloc(32) }).scan(file);
    return [
      verdict === 'clean'
        ? ok('a clean file is clean')
        : fail(`a clean file is ${verdict}`, 'check MEDIA_SCANNER'),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function checkMail({ url }: { readonly url: string }): Promise<Finding[]> {
  const failure = await new SmtpSender({ url, neighbour: soleNeighbour('mail') }).verify();
  return [
    failure === undefined ? ok('the server accepts the login') : fail(failure.reason, 'check SMTP_URL'),
  ];
}

/** No response has this key. */
const UNUSED_KEY = 'headwater:doctor';

async function checkEdge(edge: NonNullable<Config['cache']['edge']>): Promise<Finding[]> {
  await new EdgeClient(edge, soleNeighbour('edge')).purge([UNUSED_KEY]);
  return [ok(`${edge.kind} accepts purges`)];
}

async function checkRedis(url: string): Promise<Finding[]> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  let reported: unknown;
  redis.on('error', (error: unknown) => {
    reported = error;
  });
  try {
    await redis.connect();
    await redis.ping();
    return [ok('it responds')];
  } catch (error) {
    return [fail(reasonOf(reported ?? error), 'check REDIS_URL')];
  } finally {
    redis.disconnect();
  }
}

async function checkKeySet(url: string): Promise<Finding[]> {
  const response = await fetch(url, { redirect: 'error' });
  const { keys } = (await response.json().catch(() => ({}))) as { keys?: unknown };
  const count = response.ok && Array.isArray(keys) ? keys.length : 0;
  return [count > 0 ? ok(`${String(count)} keys`) : fail('no key set', 'check SESSION_JWKS_URL')];
}

type Collector = NonNullable<Config['telemetry']['exports']>;

/** Sends an export of nothing. */
async function checkCollector({ tracesUrl, metricsUrl, headers }: Collector): Promise<Finding[]> {
  const targets = [
    { kind: 'traces', url: tracesUrl, body: { resourceSpans: [] } },
    { kind: 'metrics', url: metricsUrl, body: { resourceMetrics: [] } },
  ];
  const asked = targets.flatMap(({ kind, url, body }) => (url === undefined ? [] : [{ kind, url, body }]));
  return Promise.all(
    asked.map(async ({ kind, url, body }) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
      });
      await response.body?.cancel();
      return response.ok
        ? ok(`accepts ${kind}`)
        : fail(`returns ${String(response.status)} for ${kind}`, collectorAdvice);
    }),
  );
}

const DAY_MS = 86_400_000;
const SOON_DAYS = 21;

interface Certificate {
  readonly problem: string | undefined;
  readonly days: number;
}

function readCertificate({ hostname, port }: URL, standardPort: number): Promise<Certificate> {
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = tls.connect({
      host,
      port: port === '' ? standardPort : Number(port),
      ...(!/^[\d.]+$|:/.test(host) && { servername: host }),
      rejectUnauthorized: false,
    });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate();
      const days = (Date.parse(certificate.valid_to) - Date.now()) / DAY_MS;
      const { authorizationError: error } = socket as { authorizationError?: Error | string | null };
      const problem = error instanceof Error ? ((error as { code?: string }).code ?? error.name) : error;
      socket.destroy();
      resolve({ problem: problem ?? undefined, days });
    });
  });
}

const SECURE: Readonly<Record<string, number>> = { 'https:': 443, 'smtps:': 465, 'rediss:': 6379 };

async function checkCertificate([setting, url]: readonly [string, URL]): Promise<Finding> {
  const name = `${setting} (${url.host})`;
  try {
    const { problem, days } = await readCertificate(url, SECURE[url.protocol] ?? 443);
    if (problem !== undefined)
      return fail(`${name}: ${problem}`, 'renew the certificate, or set NODE_EXTRA_CA_CERTS');
    const what = `${name}: valid for ${days.toFixed(0)} days`;
    return days < SOON_DAYS ? warn(what, 'renew it') : ok(what);
  } catch (error) {
    return fail(`${name}: ${reasonOf(error)}`, 'check the address');
  }
}

/** Each setting whose value, or an item of it, is a URL with TLS. */
function secureUrls(env: NodeJS.ProcessEnv, settings: readonly string[]): (readonly [string, URL])[] {
  return settings.flatMap((setting) =>
    (env[setting] ?? '').split(',').flatMap((item) => {
      const url = URL.parse(item.trim());
      return url !== null && url.protocol in SECURE ? [[setting, url] as const] : [];
    }),
  );
}

const none = (name: string, what: string): Check => ({
  name,
  advice: '',
  run: () => Promise.resolve([ok(what)]),
});

/** One check per certificate, so that one server that hangs leaves the others their result. */
export function certificateChecks(env: NodeJS.ProcessEnv, settings: readonly string[]): Check[] {
  const urls = secureUrls(env, settings);
  if (urls.length === 0) return [none('certificates', 'no setting names a URL with TLS')];
  return urls.map((one) => ({
    name: 'certificates',
    advice: `check ${one[0]}`,
    run: async () => [await checkCertificate(one)],
  }));
}

/** No check of what is not configured. */
const checkOf =
  (name: string, advice: string) =>
  <T>(given: T | undefined, run: (given: T) => Promise<Finding[]>): Check[] =>
    given === undefined ? [] : [{ name, advice, run: () => run(given) }];

const storageAdvice = ({ media }: Config): string =>
  media.usesBucket
    ? 'check S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY'
    : 'let the user of the service write to HEADWATER_DATA_DIR';

const searchAdvice = 'check OPENSEARCH_URL, OPENSEARCH_USERNAME and OPENSEARCH_PASSWORD';
const embeddingAdvice = 'check EMBEDDING_URL, EMBEDDING_MODEL and EMBEDDING_KEY';
const collectorAdvice = 'check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS';
const edgeAdvice = 'check EDGE_PURGE_URL, EDGE_PURGE_TARGET and EDGE_PURGE_TOKEN';

/** One check for each other system that is configured, and for the storage and the search in any case. */
export function neighbourChecks(config: Config): Check[] {
  const { search, mail, media, cache, rates, session, telemetry } = config;
  return [
    ...checkOf('storage', storageAdvice(config))(config, checkStorage),
    ...checkOf('search', searchAdvice)(config, checkSearch),
    ...checkOf('embeddings', embeddingAdvice)(search.embedding, checkEmbeddings),
    ...checkOf('scanner', 'check MEDIA_SCANNER')(media.scanner, checkScanner),
    ...checkOf('mail', 'check SMTP_URL')(mail.smtp, checkMail),
    ...checkOf('edge', edgeAdvice)(cache.edge, checkEdge),
    ...checkOf('redis', 'check REDIS_URL')(rates.redisUrl, checkRedis),
    ...checkOf('collector', collectorAdvice)(telemetry.exports, checkCollector),
    ...checkOf('identity', 'check SESSION_JWKS_URL')(session.jwksUrl, checkKeySet),
  ];
}
