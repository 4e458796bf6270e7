import { z } from 'zod';
import { AppError } from '../../contracts/errors.js';
import { derivedSecret, SignedText } from './signed-text.js';

/** What a preview token permits (decisions 2.19): the draft, or one version, of one entry in one locale. */
export interface PreviewClaims {
  readonly projectId: string;
  readonly environmentId: string;
  readonly entryId: string;
  readonly locale: string;
  /** Absent means the draft as it stands when it is read. */
  readonly version?: number | undefined;
  /** Whether entries that it refers to show what is published: whoever made it may not read all drafts. */
  readonly isAlone?: boolean | undefined;
  /** Whole seconds. */
  readonly expiresAt: Date;
  readonly tokenId: string;
}

const Payload = z.strictObject({
  prj: z.string(),
  ent: z.string(),
  loc: z.string(),
  ver: z.int().optional(),
  own: z.literal(1).optional(),
  env: z.string(),
  exp: z.int(),
  jti: z.string(),
});

/**
 * A secret for preview tokens out of the one that signs sessions: who learns one of them does not know the
 * other.
 */
export function previewSecretFrom(sessionSecret: Uint8Array): Uint8Array {
  return derivedSecret(sessionSecret, 'headwater preview tokens');
}

/** Issues and verifies preview tokens: `pv1.<payload>.<HMAC-SHA256>`, both parts in base64url. */
export class PreviewTokens {
  readonly #texts: SignedText;

  /** @param secrets the first signs; every one verifies, so that a secret can be replaced while tokens live */
  constructor(secrets: readonly [Uint8Array, ...Uint8Array[]]) {
    this.#texts = new SignedText('pv1', secrets);
  }

  issue(claims: PreviewClaims): string {
    const payload: z.infer<typeof Payload> = {
      prj: claims.projectId,
      ent: claims.entryId,
      loc: claims.locale,
      ...(claims.version !== undefined && { ver: claims.version }),
      ...(claims.isAlone === true && { own: 1 as const }),
      env: claims.environmentId,
      exp: claims.expiresAt.getTime() / 1000,
      jti: claims.tokenId,
    };
    return this.#texts.seal(payload);
  }

  /** @throws AppError 403 `invalid_preview_token` for what was not issued here, was changed or has expired */
  verify(token: string, now: Date): PreviewClaims {
    const payload = Payload.safeParse(this.#texts.open(token)).data;
    if (payload === undefined || payload.exp * 1000 <= now.getTime())
      throw new AppError('invalid_preview_token');
    const { prj, ent, loc, ver, own, env, exp, jti } = payload;
    return {
      projectId: prj,
      environmentId: env,
      entryId: ent,
      locale: loc,
      version: ver,
      isAlone: own === 1 || undefined,
      expiresAt: new Date(exp * 1000),
      tokenId: jti,
    };
  }
}
