import path from 'node:path';
import { z } from 'zod';
import { edgeKinds } from '../../../infrastructure/edge/edge-client.js';
import { definePart, listOf, oneOf, wholeNumber, webUrl, flag, secret, url } from './setting.js';

export const processes = definePart({
  settings: {
    HEADWATER_PROCESSES: wholeNumber(1, 64)
      .default(1)
      .describe('Processes that serve PORT; with several, only the first runs background jobs.'),
    HEADWATER_ROLE: oneOf(['api', 'worker', 'all'])
      .default('all')
      .describe(
        'api serves requests; worker runs jobs, webhooks and audit sealing and serves probes only; all does both.',
      ),
    SHUTDOWN_TIMEOUT_SECONDS: wholeNumber(1, 600)
      .default(10)
      .describe('Maximum duration of a shutdown in seconds; remaining requests are aborted.'),
    SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 300)
      .default(1)
      .describe('Seconds after SIGTERM in which connections are still accepted while `/readyz` returns 503.'),
  },
  slice: (read) => ({
    count: read.HEADWATER_PROCESSES,
    role: read.HEADWATER_ROLE,
    shutdownTimeoutSeconds: read.SHUTDOWN_TIMEOUT_SECONDS,
    shutdownDelaySeconds: read.SHUTDOWN_DELAY_SECONDS,
  }),
});

export const storage = definePart({
  settings: {
    HEADWATER_DATA_DIR: z
      .string()
      .default('.data')
      .describe('Directory of the embedded database and of generated secrets.'),
  },
  /** The directory is absolute. */
  slice: (read) => ({ directory: path.resolve(read.HEADWATER_DATA_DIR) }),
});

export const retention = definePart({
  settings: {
    AUDIT_RETENTION_DAYS: wholeNumber(400, 36_500)
      .default(400)
      .describe('Days after which audit records are deleted.'),
    WEBHOOK_RETENTION_DAYS: wholeNumber(7, 400)
      .default(30)
      .describe('Days after which deliveries, and events that were not sent, are deleted.'),
    IDEMPOTENCY_HOURS: wholeNumber(24, 720)
      .default(24)
      .describe('Hours for which a request with the same Idempotency-Key gets the stored response.'),
  },
  slice: (read) => ({
    auditDays: read.AUDIT_RETENTION_DAYS,
    webhookDays: read.WEBHOOK_RETENTION_DAYS,
    replyHours: read.IDEMPOTENCY_HOURS,
  }),
});

export const monitoring = definePart({
  settings: {
    LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
      .default('info')
      .describe('Lowest severity of the log lines to write.'),
    METRICS_PORT: wholeNumber(1, 65_535)
      .optional()
      .describe('Separate port for `/metrics`; only the monitoring should reach it.'),
    METRICS_TOKEN: z
      .string()
      .refine((value) => /^[\x21-\x7e]{16,}$/.test(value), {
        error: 'must have at least 16 characters, none a space',
      })
      .optional()
      .describe('Bearer token that `/metrics` requires. When set, `/metrics` is also served on PORT.'),
  },
  slice: (read) => ({
    logLevel: read.LOG_LEVEL,
    metricsPort: read.METRICS_PORT,
    metricsToken: read.METRICS_TOKEN,
  }),
});

const pairsOf = (text: string): [name: string, value: string][] =>
  listOf(text).map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(at, 0)).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
  });

function arePairs(text: string): boolean {
  try {
    return pairsOf(text).every(([name, value]) => /^[\w.-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value));
  } catch {
    return false;
  }
}

/** `name=value`, separated by commas; values are encoded as in a URL. */
const pairs = () =>
  z.string().refine(arePairs, { error: 'must be name=value pairs, separated by commas' }).transform(pairsOf);

/** The names are OpenTelemetry's. */
export const telemetry = definePart({
  settings: {
    OTEL_EXPORTER_OTLP_ENDPOINT: webUrl()
      .optional()
      .describe(
        'OpenTelemetry collector that receives traces and metrics as JSON over HTTP, at `/v1/traces` and `/v1/metrics` below this URL. Unset: nothing is exported.',
      ),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webUrl().optional().describe('Whole URL for traces, if it differs.'),
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: webUrl()
      .optional()
      .describe('Whole URL for metrics, if it differs.'),
    OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(1000, 3_600_000)
      .default(60_000)
      .describe('Milliseconds between two exports of metrics.'),
    OTEL_EXPORTER_OTLP_HEADERS: pairs()
      .optional()
      .describe('Headers of each export as `name=value`, separated by commas, such as the key of a service.'),
    OTEL_SERVICE_NAME: z.string().default('headwater').describe('Name of the service in traces and metrics.'),
    OTEL_RESOURCE_ATTRIBUTES: pairs()
      .optional()
      .describe(
        'Attributes of each process as `name=value`, separated by commas, such as `deployment.environment.name=production`.',
      ),
    OTEL_TRACES_SAMPLER_ARG: z
      .string()
      .refine((value) => /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(value), {
        error: 'must be a number from 0 to 1',
      })
      .default('1')
      .describe('Share of the traces that is recorded, from 0 to 1.'),
  },
  /** Undefined: nothing is exported. */
  slice: (read) => {
    const {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces,
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: metrics,
    } = read;
    const below = (path: string): string | undefined => endpoint && endpoint.replace(/\/$/, '') + path;
    const tracesUrl = traces ?? below('/v1/traces');
    const metricsUrl = metrics ?? below('/v1/metrics');
    return {
      exports:
        tracesUrl === undefined && metricsUrl === undefined
          ? undefined
          : {
              tracesUrl,
              metricsUrl,
              metricsMs: read.OTEL_METRIC_EXPORT_INTERVAL,
              headers: Object.fromEntries(read.OTEL_EXPORTER_OTLP_HEADERS ?? []),
              serviceName: read.OTEL_SERVICE_NAME,
              attributes: Object.fromEntries(read.OTEL_RESOURCE_ATTRIBUTES ?? []),
              share: Number(read.OTEL_TRACES_SAMPLER_ARG),
            },
    };
  },
});

export const translation = definePart({
  settings: {
    TRANSLATION_URL: webUrl()
      .optional()
      .describe('URL of a translation engine, which fills XLIFF files. Unset: no suggestions.'),
    TRANSLATION_KEY: z
      .string()
      .refine((value) => /^[\x21-\x7e]+$/.test(value), { error: 'must have no spaces or control characters' })
      .optional()
      .describe('Bearer token that the translation engine requires.'),
  },
  slice: (read) => ({ url: read.TRANSLATION_URL, key: read.TRANSLATION_KEY }),
});

/** `Name <address>` or an address. */
const MAILBOX = /^(?:([^<>"\p{Cc}]*?)\s*<([^\s<>@]+@[^\s<>@]+)>|([^\s<>@]+@[^\s<>@]+))$/u;

export const mail = definePart({
  settings: {
    SMTP_URL: url('smtps:', 'smtp:')
      .optional()
      .describe(
        'Mail server, such as `smtps://user:password@mail.example.com`. With a password, `smtp://` requires STARTTLS, except on this machine. Unset: no mails; invitations and resets are links to pass on. Links begin with PUBLIC_BASE_URL.',
      ),
    MAIL_FROM: z
      .string()
      .refine((value) => MAILBOX.test(value), { error: 'must be an address or `Name <address>`' })
      .optional()
      .describe('Sender of mails, such as `Headwater <cms@example.com>`. Tenants can have another.'),
  },
  /** Undefined: no mails are sent. */
  slice: ({ SMTP_URL: url, MAIL_FROM: from = '' }) => {
    const [, name, named, bare] = MAILBOX.exec(from) ?? [];
    return { smtp: url === undefined ? undefined : { url, name: name ?? '', address: named ?? bare ?? '' } };
  },
  problems: (read) =>
    (read.SMTP_URL === undefined) === (read.MAIL_FROM === undefined)
      ? []
      : ['SMTP_URL and MAIL_FROM must be set together'],
});

export const webhooks = definePart({
  settings: {
    WEBHOOK_ENCRYPTION_KEY: secret()
      .optional()
      .describe(
        'Secret that encrypts stored webhook secrets. Unset: derived from SESSION_JWT_SECRET; with a key set, kept in the data directory.',
      ),
    WEBHOOK_ENCRYPTION_KEY_PREVIOUS: secret()
      .optional()
      .describe('Former WEBHOOK_ENCRYPTION_KEY: secrets that it encrypted stay readable.'),
    WEBHOOK_ALLOW_LOOPBACK: flag()
      .optional()
      .describe(
        '1 allows webhooks to this machine and imports from it, also over http: for development and tests.',
      ),
  },
  slice: (read) => ({
    /** The first one encrypts. Empty: derived, or kept in the data directory. */
    keys: [read.WEBHOOK_ENCRYPTION_KEY, read.WEBHOOK_ENCRYPTION_KEY_PREVIOUS].filter(
      (key) => key !== undefined,
    ),
    allowLoopback: read.WEBHOOK_ALLOW_LOOPBACK ?? false,
  }),
});

/** What edges that are services listen on, and what they call the cache that is purged. */
const edgeServices = {
  fastly: { url: 'https://api.fastly.com', target: 'service' },
  cloudflare: { url: 'https://api.cloudflare.com', target: 'zone' },
} as const;

const isService = (kind: string | undefined): kind is keyof typeof edgeServices =>
  kind === 'fastly' || kind === 'cloudflare';

const isWebUrl = (text: string): boolean => ['https:', 'http:'].includes(URL.parse(text)?.protocol ?? '');

export const cache = definePart({
  settings: {
    RESPONSE_CACHE_MB: wholeNumber(0, 65_536)
      .default(64)
      .describe('Megabytes of published responses that a process caches; 0 disables the cache.'),
    EDGE_PURGE: oneOf(edgeKinds)
      .optional()
      .describe(
        'Cache in front of the service that is purged when content changes: fastly, cloudflare, varnish or http. Unset: none.',
      ),
    EDGE_PURGE_URL: z
      .string()
      .transform(listOf)
      .refine((urls) => urls.length > 0 && urls.every(isWebUrl), {
        error: 'must be URLs that begin with https:// or http://, separated by commas',
      })
      .optional()
      .describe('Where purges are sent, separated by commas: each Varnish, or a URL that takes JSON.'),
    EDGE_PURGE_TARGET: z
      .string()
      .refine((value) => /^[\w-]+$/.test(value), { error: 'must have only letters, digits, - and _' })
      .optional()
      .describe('Id of the service at Fastly, or of the zone at Cloudflare.'),
    EDGE_PURGE_TOKEN: z
      .string()
      .refine((value) => /^[\x21-\x7e]+$/.test(value), { error: 'must have no spaces or control characters' })
      .optional()
      .describe('Token that may purge; Varnish and http get it as a bearer token.'),
  },
  slice: (read) => {
    const {
      EDGE_PURGE: kind,
      EDGE_PURGE_URL: urls,
      EDGE_PURGE_TARGET: target = '',
      EDGE_PURGE_TOKEN: token,
    } = read;
    const places = urls ?? (isService(kind) ? [edgeServices[kind].url] : []);
    return {
      responseCacheBytes: read.RESPONSE_CACHE_MB * 1024 * 1024,
      /** Undefined: no cache in front of the service is purged. */
      edge: kind && { kind, urls: places, target, token },
    };
  },
  problems: ({
    EDGE_PURGE: kind,
    EDGE_PURGE_URL: urls,
    EDGE_PURGE_TARGET: target,
    EDGE_PURGE_TOKEN: token,
  }) => {
    if (kind === undefined)
      return [urls, target, token].some((value) => value !== undefined)
        ? ['EDGE_PURGE must be set with EDGE_PURGE_URL, EDGE_PURGE_TARGET and EDGE_PURGE_TOKEN']
        : [];
    if (isService(kind))
      return target === undefined || token === undefined
        ? [
            `EDGE_PURGE=${kind} needs EDGE_PURGE_TARGET, the id of the ${edgeServices[kind].target}, and EDGE_PURGE_TOKEN`,
          ]
        : [];
    return urls === undefined ? [`EDGE_PURGE=${kind} needs EDGE_PURGE_URL`] : [];
  },
});
