import { LRUCache } from 'lru-cache';
import { type AppOptions } from './http.js';
import { openLive, openReads, type CachingOptions } from './caching.js';
import { createRates, type ConnectionOptions, type Connections } from './connections.js';
import { keyServices, createSigning, type SigningOptions } from './signing.js';
import { ApiKeyLookup } from '../../features/access/api-keys/index.js';
import { CatalogStore, EnvironmentHeads } from '../../features/environments/catalog/index.js';
import { openMedia, type MediaOptions } from './media.js';
import { defaultReportBounds, type ReportBounds } from '../../features/insight/reports/index.js';
import type { RedirectHits } from '../../features/routing/redirects/index.js';
import { MemberLookup } from '../../features/access/users/index.js';
import { openWebhooks, type WebhookOptions } from '../../features/operations/webhooks/index.js';
import { PersonalKeyLookup } from '../../features/access/personal-keys/index.js';
import { SessionLookup } from '../../features/access/sessions/index.js';
import type { Clock } from '../../infrastructure/clock.js';
import type { DatabaseClock } from '../../infrastructure/database-clock.js';
import type { Coherence } from '../../infrastructure/coherence.js';
import { newId, randomSecretBytes } from '../../infrastructure/ids.js';
import type { Neighbours } from '../../infrastructure/neighbours/neighbours.js';
import { type Role } from './jobs.js';
import { type ReadinessOptions } from './monitoring.js';
import { openEnvironments, openHits, openPromotions, type PeriodicOptions } from './periodic-work.js';
import { openSearch, type SearchOptions } from './search.js';
import { defineModels } from '../../persistence/models/index.js';
import type { ReplicaReads } from '../../persistence/connections/replicas.js';
import { UnitOfWorkFactory, type WorkDependencies } from '../../persistence/work/unit-of-work.js';
import { version } from '../config/config.js';
import { type Retention, type Services } from '../../procedures/index.js';
import { isSmtpOutage, SmtpSender } from '../../infrastructure/mail/smtp-sender.js';
import type { MailServices } from '../../features/access/mail/index.js';
import type { SealedBox } from '../../access/sealed-box.js';
import {
  HttpTranslator,
  TranslatorFailure,
  type Translator,
  type TranslatorSettings,
} from '../../infrastructure/translator/http-translator.js';
import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type {
  ConversionResult,
  ConversionTask,
  ConvertedRichText,
  ForeignImage,
  KnownImages,
} from '../../content/rich-text/rich-text-source.js';
import type { RichTextConverter } from '../../features/entries/entries/index.js';
import { builtFile, WorkerCallFailure, WorkerCalls } from '../../infrastructure/worker-calls.js';

const MILLISECONDS = 5000;

const MAXIMUM_WAITING = 20;

const tooComplex: ConvertedRichText = {
  problems: [
    {
      path: [],
      code: 'too_complex',
      message: 'The rich text takes too long to convert. Send less of it, or a document tree.',
    },
  ],
};

/**
 * Converts rich text in a thread, so that no request blocks others.
 * @param ownMedia what the URLs of a project's files start with
 */
function openRichText(ownMedia: (projectSlug: string) => readonly string[]): RichTextConverter {
  const calls = new WorkerCalls<ConversionTask, ConversionResult>({
    file: builtFile('rich-text-thread'),
    milliseconds: MILLISECONDS,
    maximumWaiting: MAXIMUM_WAITING,
  });
  const knownIn = (projectSlug: string, pictures: KnownImages['pictures'] = new Map()): KnownImages => ({
    ownMedia: ownMedia(projectSlug),
    pictures,
  });
  const call = async <R extends ConversionResult>(task: ConversionTask, failed: R): Promise<R> => {
    try {
      return (await calls.call(task)) as R;
    } catch (error) {
      if (!(error instanceof WorkerCallFailure)) throw error;
      if (error.reason === 'overload') throw new AppError('service_unavailable');
      return failed;
    }
  };
  return {
    convert: (source, { projectSlug, pictures }) =>
      call<ConvertedRichText>({ task: 'convert', source, known: knownIn(projectSlug, pictures) }, tooComplex),
    images: (source, projectSlug) =>
      call<readonly ForeignImage[]>({ task: 'images', source, known: knownIn(projectSlug) }, []),
    close: () => calls.close(),
  };
}

export interface TranslationOptions {
  /** Instead of one at a URL. */
  readonly translator?: Translator | undefined;
  readonly translation?: Omit<TranslatorSettings, 'neighbour'> | undefined;
}

/** Engines translate a file before they send its first byte. */
const COMPUTING = 6;

function openTranslator(
  { translator, translation }: TranslationOptions,
  neighbours: Neighbours,
): Translator | undefined {
  if (translation === undefined) return translator;
  const neighbour = neighbours.open({
    name: 'translator',
    places: neighbours.places({ most: 4, lineMs: 10_000 }),
    stallMs: COMPUTING * neighbours.stallMs,
    isOutage: (error) => !(error instanceof TranslatorFailure && error.kind === 'failed'),
  });
  return new HttpTranslator({ ...translation, neighbour });
}

interface MailOptions {
  /** Unset: no mails are sent. */
  readonly smtp?: { readonly url: string; readonly name: string; readonly address: string } | undefined;
}

/** Connections to the mail server. */
const MAIL_CONNECTIONS = 4;

function openMail(
  { smtp }: MailOptions,
  {
    neighbours,
    secretBox,
    baseUrl,
  }: { readonly neighbours: Neighbours; readonly secretBox: SealedBox; readonly baseUrl: string },
): MailServices {
  const linkTo: MailServices['linkTo'] = (page, token) => `${baseUrl}/admin/${page}#token=${token}`;
  if (smtp === undefined) return { send: undefined, from: { name: '', address: '' }, secretBox, linkTo };
  const { url, name, address } = smtp;
  const neighbour = neighbours.open({
    name: 'mail',
    places: neighbours.places({ most: MAIL_CONNECTIONS }),
    isOutage: isSmtpOutage,
  });
  const sender = new SmtpSender({ url, neighbour });
  return { send: (mail) => sender.send(mail), from: { name, address }, secretBox, linkTo };
}

/** Each part declares its options. */
export interface CompositionOptions
  extends
    ConnectionOptions,
    AppOptions,
    CachingOptions,
    SigningOptions,
    ReadinessOptions,
    PeriodicOptions,
    MailOptions,
    TranslationOptions {
  /** URL at which clients reach the service, without a final slash. */
  readonly baseUrl?: string | undefined;
  /** The same as set by `PUBLIC_BASE_URL`, not derived from the address it listens on. */
  readonly publicBaseUrl?: string | undefined;
  /** Checks delivery responses against their contracts; tests do. */
  readonly validatesOutput?: boolean | undefined;
  /** Unset: the database's. */
  readonly clock?: Clock | undefined;
  /** Of the process, which the database's corrects; unset: that of the system. */
  readonly processClock?: Clock | undefined;
  /** How long a call of another system may make no progress, in milliseconds; unset: 10,000. */
  readonly neighbourMs?: number | undefined;
  /** Unset: `all`. */
  readonly role?: Role | undefined;
  readonly webhooks?: WebhookOptions | undefined;
  readonly media: MediaOptions;
  readonly search?: SearchOptions | undefined;
  readonly reports?: Partial<ReportBounds> | undefined;
  /** Unset: as by default. */
  readonly retention?: Partial<Retention> | undefined;
}

/** Environments with a cached catalog. */
const REMEMBERED_ENVIRONMENTS = 500;

export type Callbacks = Pick<WorkDependencies, 'wake' | 'eventsWritten' | 'onWriteFailure'> & {
  readonly coherence: Coherence;
  readonly neighbours: Neighbours;
  readonly databaseClock: DatabaseClock;
  readonly reads: ReplicaReads;
};

interface Transfers extends Pick<Callbacks, 'reads' | 'coherence' | 'neighbours'> {
  readonly keyPool: Connections['keyPool'];
  readonly serviceUrl: string;
  readonly now: Clock;
}

const downloadOptions = ({ webhooks = {} }: CompositionOptions) => ({
  allowLoopback: webhooks.allowLoopback ?? false,
  userAgent: `Headwater/${version}`,
});

const defaultRetention: Retention = { auditDays: 400, webhookDays: 30, replyHours: limits.idempotencyHours };

const boundsOf = ({ queryLimits, reports, retention }: CompositionOptions) => ({
  maxReferenceDepth: queryLimits.maxReferenceDepth,
  reports: { ...defaultReportBounds, ...reports },
  retention: { ...defaultRetention, ...retention },
});

const lookupsOf = (keyPool: Connections['keyPool']) => ({
  members: new MemberLookup(keyPool),
  sessions: new SessionLookup(keyPool),
  personalKeys: new PersonalKeyLookup(keyPool),
});

/** What receives and delivers files and calls of strangers. */
function openTransfers(
  options: CompositionOptions,
  { reads, keyPool, coherence, neighbours, serviceUrl, now }: Transfers,
) {
  const webhooks = openWebhooks(options.webhooks ?? {}, {
    sharedSecret: 'secret' in options.tokens ? options.tokens.secret : randomSecretBytes(),
    now,
    version,
    neighbours,
    tracer: options.tracer,
  });
  const downloads = downloadOptions(options);
  const media = openMedia(options.media, { reads, keyPool, coherence, neighbours, serviceUrl, downloads });
  return { media, webhooks };
}

export function createServices(
  connections: Connections,
  options: CompositionOptions,
  { coherence, neighbours, databaseClock, reads, ...callbacks }: Callbacks,
): Services & { readonly redirectHits: RedirectHits } {
  const { writePool, keyPool, readPool } = connections;
  const { clock = databaseClock.now } = options;
  const baseUrl = options.baseUrl ?? options.publicBaseUrl ?? '';
  const memory = new LRUCache<string, object>({ max: REMEMBERED_ENVIRONMENTS });
  const live = openLive();
  const units = new UnitOfWorkFactory({
    pool: writePool,
    models: defineModels(writePool.sequelize),
    memory,
    now: clock,
    newId,
    ...callbacks,
    changes: coherence,
    entriesChanged: live.entryChanges.tell,
  });
  const redirectHits = openHits(units, { ...options, clock });
  const promotions = openPromotions(units, options);
  const transfers = { reads, keyPool, coherence, neighbours, serviceUrl: baseUrl, now: clock };
  const { media, webhooks } = openTransfers(options, transfers);
  return {
    redirectHits,
    clock,
    units,
    ...live,
    catalogs: new CatalogStore({ heads: new EnvironmentHeads(readPool), units, memory, coherence }),
    ...keyServices(new ApiKeyLookup(keyPool), { units, coherence, clock }),
    ...lookupsOf(keyPool),
    rates: createRates(connections, options, neighbours),
    promotions,
    environments: openEnvironments(units, { ...options, clock, promotions }),
    ...createSigning(options, neighbours),
    webhooks,
    mail: openMail(options, { neighbours, baseUrl, secretBox: webhooks.secretBox }),
    markup: openRichText((projectSlug) => media.urls.prefixesOf(projectSlug)),
    search: openSearch(options.search ?? {}, { ...options, neighbours, units, clock }),
    media,
    baseUrl,
    publicBaseUrl: options.publicBaseUrl,
    translator: openTranslator(options, neighbours),
    ...boundsOf(options),
    ...openReads(reads, readPool, redirectHits),
  };
}
