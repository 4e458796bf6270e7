import {
  ConfirmTokens,
  FeedTokens,
  previewSecretFrom,
  PreviewSessionTokens,
  PreviewTokens,
} from '../../access/signed-token.js';
import { SessionTokens, type SessionClaims, type TokenSettings } from '../../access/session-token.js';
import { deriveSecrets, type Secrets } from '../../access/media-signature.js';
import { AppError } from '../../../contracts/errors.js';
import { NeighbourFailure, type Neighbour } from '../../infrastructure/neighbours/neighbour.js';
import type { Neighbours } from '../../infrastructure/neighbours/neighbours.js';
import { IdentityProviders } from '../../infrastructure/sign-on/identity-provider.js';
import { randomSecretBytes } from '../../infrastructure/ids.js';
import { SealedBox } from '../../access/sealed-box.js';
import { type Services, KeyCredentials } from '../../procedures/index.js';
import {
  ApiKeyCache,
  ApiKeyUses,
  KeyActivity,
  KeyUsage,
  type ApiKeyLookup,
} from '../../features/access/api-keys/index.js';
import type { Clock } from '../../infrastructure/clock.js';
import type { Coherence } from '../../infrastructure/coherence.js';
import { SyncCursors } from '../../features/publishing/delivery/index.js';
import type { UnitOfWorkFactory } from '../../persistence/work/unit-of-work.js';

/** With a key set the processes share no secret, so preview links work in this process only. */
const defaultPreviewSecret = (tokens: TokenSettings): Uint8Array =>
  'secret' in tokens ? previewSecretFrom(tokens.secret) : randomSecretBytes();

export interface SigningOptions {
  readonly tokens: TokenSettings;
  /** Unset: derived from the session secret, if any. */
  readonly previewSecrets?: Secrets | undefined;
}

const isKeySetAway = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'service_unavailable';

/** Requests with a session may wait for the key set of an identity provider; few do. */
class RemoteTokens extends SessionTokens {
  constructor(
    settings: TokenSettings,
    private readonly neighbour: Neighbour,
  ) {
    super(settings);
  }

  override async verify(token: string, now: Date): Promise<SessionClaims> {
    try {
      return await this.neighbour.call(() => super.verify(token, now));
    } catch (error) {
      throw error instanceof NeighbourFailure ? new AppError('service_unavailable') : error;
    }
  }
}

const sessionTokens = (tokens: TokenSettings, neighbours: Neighbours): SessionTokens =>
  'jwksUrl' in tokens
    ? new RemoteTokens(tokens, neighbours.open({ name: 'identity', isOutage: isKeySetAway }))
    : new SessionTokens(tokens);

/** Builds everything that signs or encrypts. */
export function createSigning(
  options: SigningOptions,
  neighbours: Neighbours,
): Pick<
  Services,
  | 'tokens'
  | 'providers'
  | 'previewTokens'
  | 'previewSessions'
  | 'confirmTokens'
  | 'feedTokens'
  | 'syncCursors'
  | 'replies'
> {
  const { tokens, previewSecrets = [defaultPreviewSecret(tokens)] } = options;
  return {
    tokens: sessionTokens(tokens, neighbours),
    // One tenant's provider says nothing about the service.
    providers: new IdentityProviders(neighbours.open({ name: 'identity-providers', isOutage: () => false })),
    previewTokens: new PreviewTokens(previewSecrets),
    previewSessions: new PreviewSessionTokens(previewSecrets),
    confirmTokens: new ConfirmTokens(previewSecrets),
    feedTokens: new FeedTokens(previewSecrets),
    syncCursors: new SyncCursors(deriveSecrets(previewSecrets, 'headwater sync cursors')),
    replies: new SealedBox(deriveSecrets(previewSecrets, 'headwater kept replies')),
  };
}

/** What reads keys. */
export const keyServices = (
  keys: ApiKeyLookup,
  { units, coherence, clock }: { units: UnitOfWorkFactory; coherence: Coherence; clock: Clock },
): Pick<Services, 'credentials' | 'keyUses' | 'keyUsage' | 'keyActivity'> => ({
  credentials: new KeyCredentials(new ApiKeyCache(keys, coherence), clock),
  keyUses: new ApiKeyUses(keys),
  keyUsage: new KeyUsage(units, clock),
  keyActivity: new KeyActivity({ units, coherence, clock }),
});
