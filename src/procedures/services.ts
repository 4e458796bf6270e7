import type { ConfirmTokens } from '../access/confirm-token.js';
import type { PreviewTokens } from '../access/preview-token.js';
import type { SessionTokens } from '../access/session-token.js';
import type { ApiKeyUses } from '../features/api-keys/index.js';
import type { CatalogStore } from '../features/catalog/index.js';
import type { DocumentSource, RouteSource, SitemapSource } from '../features/delivery/index.js';
import type { MemberLookup } from '../features/users/index.js';
import type { WebhookServices } from '../features/webhooks/index.js';
import type { SessionLookup } from '../features/sessions/index.js';
import type { Clock } from '../infrastructure/clock.js';
import type { SealedBox } from '../access/sealed-box.js';
import type { UnitOfWorkFactory } from '../persistence/work/unit-of-work.js';
import type { KeyCredentials } from './key-credentials.js';
import type { RateServices } from './rate-state.js';

/** What gate and procedures work with; composed once per process. */
export interface Services {
  readonly clock: Clock;
  readonly units: UnitOfWorkFactory;
  readonly catalogs: CatalogStore;
  readonly credentials: KeyCredentials;
  readonly members: MemberLookup;
  readonly keyUses: ApiKeyUses;
  /** Absent: nothing is limited. */
  readonly rates?: RateServices | undefined;
  readonly sessions: SessionLookup;
  readonly tokens: SessionTokens;
  readonly previewTokens: PreviewTokens;
  readonly confirmTokens: ConfirmTokens;
  readonly webhooks: WebhookServices;
  /** Seals the replies that are kept. */
  readonly replies: SealedBox;
  /** Where clients reach the service, without a final slash; empty where that is not known. */
  readonly baseUrl: string;
  /** Hops of references that an answer follows at most (`MAX_REFERENCE_DEPTH`). */
  readonly maxReferenceDepth: number;
  /** Published documents of an environment. */
  publishedDocuments(environmentId: string): DocumentSource;
  /** Paths of an environment. */
  routes(environmentId: string): RouteSource;
  /** Sitemaps of an environment. */
  sitemaps(environmentId: string): SitemapSource;
}
