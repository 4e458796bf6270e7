import type { KeyType } from '../../contracts/access/api-keys/api-key.js';
import type { Allowance, RateLimits } from '../infrastructure/rate-limits.js';
import type {
  ConfirmTokens,
  FeedTokens,
  PreviewSessionTokens,
  PreviewTokens,
} from '../access/signed-token.js';
import type { SessionTokens } from '../access/session-token.js';
import type { ApiKeyUses, KeyActivity, KeyUsage } from '../features/access/api-keys/index.js';
import type { CatalogStore } from '../features/environments/catalog/index.js';
import type { EnvironmentWork } from '../features/environments/environments/index.js';
import type { RichTextConverter } from '../features/entries/entries/index.js';
import type {
  DocumentSource,
  Overlay,
  RouteSource,
  SitemapSource,
  SyncCursors,
  SyncSource,
  TreeSource,
} from '../features/publishing/delivery/index.js';
import type { Futures } from '../features/entries/releases/index.js';
import type { PromotionWork } from '../features/deployment/promotions/index.js';
import type { MediaServices, MediaSource } from '../features/media/media/index.js';
import type { MailServices } from '../features/access/mail/index.js';
import type { MemberLookup } from '../features/access/users/index.js';
import type { WebhookServices } from '../features/operations/webhooks/index.js';
import type { ReportBounds } from '../features/insight/reports/index.js';
import type { SearchServices } from '../features/insight/search/index.js';
import type { PersonalKeyLookup } from '../features/access/personal-keys/index.js';
import type { SessionLookup } from '../features/access/sessions/index.js';
import type { LiveChannel } from '../infrastructure/live-channel.js';
import type { EntryChanges } from '../infrastructure/entry-changes.js';
import type { PresenceBoard } from '../infrastructure/presence-board.js';
import type { Clock } from '../infrastructure/clock.js';
import type { SealedBox } from '../access/sealed-box.js';
import type { IdentityProviders } from '../infrastructure/sign-on/identity-provider.js';
import type { Translator } from '../infrastructure/translator/http-translator.js';
import type { UnitOfWorkFactory } from '../persistence/work/unit-of-work.js';
import type { KeyCredentials } from './key-credentials.js';

/** Requests per minute (rule access/rate-limits); 0 means no limit. */
export type RateDefaults = Readonly<Record<KeyType | 'session' | 'anonymous' | 'login', number>>;

export interface RateServices {
  readonly defaults: RateDefaults;
  readonly limits: RateLimits;
}

/** State of a rate limit, as the response headers report it. */
export interface RateState extends Allowance {
  readonly policy: 'key' | 'user' | 'address' | 'login';
  readonly limit: number;
  readonly windowSeconds: number;
}

/** How long records of what happened are kept. */
export interface Retention {
  readonly auditDays: number;
  /** Of deliveries and of events that were not sent. */
  readonly webhookDays: number;
  /** Of responses to requests with an `Idempotency-Key`. */
  readonly replyHours: number;
}

export interface Services extends PublishedReads {
  readonly clock: Clock;
  readonly units: UnitOfWorkFactory;
  readonly catalogs: CatalogStore;
  readonly credentials: KeyCredentials;
  readonly members: MemberLookup;
  readonly keyUses: ApiKeyUses;
  readonly keyActivity: KeyActivity;
  readonly keyUsage: KeyUsage;
  /** Absent: no rate limits. */
  readonly rates?: RateServices | undefined;
  readonly sessions: SessionLookup;
  readonly personalKeys: PersonalKeyLookup;
  readonly tokens: SessionTokens;
  readonly providers: IdentityProviders;
  readonly previewTokens: PreviewTokens;
  readonly previewSessions: PreviewSessionTokens;
  readonly confirmTokens: ConfirmTokens;
  readonly feedTokens: FeedTokens;
  readonly syncCursors: SyncCursors;
  readonly environments: EnvironmentWork;
  readonly promotions: PromotionWork;
  readonly webhooks: WebhookServices;
  readonly mail: MailServices;
  readonly media: MediaServices;
  readonly markup: RichTextConverter;
  /** Undefined if the operator has configured none. */
  readonly translator: Translator | undefined;
  readonly search: SearchServices;
  /** What other processes tell users of this one. */
  readonly live: LiveChannel;
  readonly presence: PresenceBoard;
  readonly entryChanges: EntryChanges;
  readonly reports: ReportBounds;
  readonly retention: Retention;
  /** Encrypts stored replies. */
  readonly replies: SealedBox;
  /** Public URL without trailing slash, otherwise the address it listens on; empty if unknown. */
  readonly baseUrl: string;
  /** `PUBLIC_BASE_URL`. */
  readonly publicBaseUrl: string | undefined;
  /** `MAX_REFERENCE_DEPTH`. */
  readonly maxReferenceDepth: number;
  readonly futures: Futures;
  syncChanges(environmentId: string): SyncSource;
  /** Reads of the present with other rows; they share nothing and count no hits. */
  overlaidReads(overlay: Overlay): PublishedReads;
}

/** What readers see of an environment. */
export interface PublishedReads {
  /** @param names fields to read; others can be missing. All by default */
  publishedDocuments(environmentId: string, names?: readonly string[]): DocumentSource;
  routes(environmentId: string): RouteSource;
  sitemaps(environmentId: string): SitemapSource;
  publishedMedia(environmentId: string): MediaSource;
  trees(environmentId: string): TreeSource;
}

/** What readers will see (rule publication/future). */
export interface Future extends PublishedReads {
  /**
   * With the words of what will be published.
   * @throws AppError 503 `search_unavailable`: an external search engine does not index drafts as published entries
   */
  overlayForSearch(): Promise<Overlay>;
}
