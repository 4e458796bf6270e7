import { z } from 'zod';
import { deriveSecrets, type Secrets } from './media-signature.js';
import { SignedTokens } from './signed-token.js';

/** Who reads the feed of an environment: a user or key, with the rights that they have when they read it. */
export interface FeedReader {
  readonly environmentId: string;
  readonly kind: 'user' | 'api_key';
  readonly id: string;
}

const Payload = z.strictObject({
  env: z.string(),
  knd: z.enum(['user', 'api_key']),
  sub: z.string(),
  exp: z.int(),
});

/** Tokens in the URLs of feeds (rule publication/calendar). */
export class FeedTokens {
  readonly #tokens: SignedTokens;

  /** @param secrets of preview tokens; separate secrets are derived from them */
  constructor(secrets: Secrets) {
    this.#tokens = new SignedTokens('hw-feed+jwt', deriveSecrets(secrets, 'headwater feed tokens'));
  }

  issue({ environmentId, kind, id }: FeedReader, expiresAt: Date): Promise<string> {
    return this.#tokens.issue({ env: environmentId, knd: kind, sub: id }, expiresAt);
  }

  /** @returns undefined for an unknown, altered or expired token */
  async verify(token: string, now: Date): Promise<FeedReader | undefined> {
    const { data } = Payload.safeParse(await this.#tokens.verify(token, now));
    return data && { environmentId: data.env, kind: data.knd, id: data.sub };
  }
}
