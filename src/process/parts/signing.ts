import { ConfirmTokens } from '../../access/confirm-token.js';
import { FeedTokens } from '../../access/feed-token.js';
import { previewSecretFrom, PreviewTokens } from '../../access/preview-token.js';
import { SessionTokens, type TokenSettings } from '../../access/session-token.js';
import { deriveSecrets, type Secrets } from '../../access/derived-secret.js';
import { randomSecretBytes } from '../../infrastructure/random.js';
import { SealedBox } from '../../access/sealed-box.js';
import type { Services } from '../../procedures/index.js';

/** With a key set the processes share no secret, so preview links work in this process only. */
const defaultPreviewSecret = (tokens: TokenSettings): Uint8Array =>
  'secret' in tokens ? previewSecretFrom(tokens.secret) : randomSecretBytes();

export interface SigningOptions {
  readonly tokens: TokenSettings;
  /** Unset: derived from the session secret, if any. */
  readonly previewSecrets?: Secrets | undefined;
}

/** Builds everything that signs or encrypts. */
export function createSigning(
  options: SigningOptions,
): Pick<Services, 'tokens' | 'previewTokens' | 'confirmTokens' | 'feedTokens' | 'replies'> {
  const { tokens, previewSecrets = [defaultPreviewSecret(tokens)] } = options;
  return {
    tokens: new SessionTokens(tokens),
    previewTokens: new PreviewTokens(previewSecrets),
    confirmTokens: new ConfirmTokens(previewSecrets),
    feedTokens: new FeedTokens(previewSecrets),
    replies: new SealedBox(deriveSecrets(previewSecrets, 'headwater kept replies')),
  };
}
