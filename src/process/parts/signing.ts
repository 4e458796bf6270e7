import { ConfirmTokens } from '../../access/confirm-token.js';
import { previewSecretFrom, PreviewTokens } from '../../access/preview-token.js';
import { SessionTokens, type TokenSettings } from '../../access/session-token.js';
import { deriveSecrets } from '../../access/derived-secret.js';
import { randomSecretBytes } from '../../infrastructure/random.js';
import { SealedBox } from '../../infrastructure/sealed-box.js';
import type { Services } from '../../procedures/index.js';

/** With a key set the process knows no secret that others know too, so its links work in this process only. */
const defaultPreviewSecret = (tokens: TokenSettings): Uint8Array =>
  'secret' in tokens ? previewSecretFrom(tokens.secret) : randomSecretBytes();

/** Everything that signs or encrypts, made of the secrets that processes share. */
export function sealsOf(options: {
  readonly tokens: TokenSettings;
  readonly previewSecrets?: readonly [Uint8Array, ...Uint8Array[]] | undefined;
}): Pick<Services, 'tokens' | 'previewTokens' | 'confirmTokens' | 'replies'> {
  const { tokens, previewSecrets = [defaultPreviewSecret(tokens)] } = options;
  return {
    tokens: new SessionTokens(tokens),
    previewTokens: new PreviewTokens(previewSecrets),
    confirmTokens: new ConfirmTokens(previewSecrets),
    replies: new SealedBox(deriveSecrets(previewSecrets, 'headwater kept replies')),
  };
}
