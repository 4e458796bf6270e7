import { z } from 'zod';
import { AppError } from '../../contracts/errors.js';
import { deriveSecret, type Secrets } from './media-signature.js';
import { SignedTokens } from './signed-token.js';

/** The draft, or one version, of one entry in one locale (rule publication/previews). */
export interface PreviewClaims {
  readonly projectId: string;
  readonly environmentId: string;
  readonly entryId: string;
  readonly locale: string;
  /** Absent: the current draft at the time of reading. */
  readonly version?: number | undefined;
  /** Referenced entries show their published state: the issuer may not read all drafts. */
  readonly isAlone?: boolean | undefined;
  /** The key that issued it, which must be active when it is used (rule access/key-expiry); absent for users. */
  readonly keyId?: string | undefined;
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
  key: z.string().optional(),
  env: z.string(),
  exp: z.int(),
  jti: z.string(),
});

export function previewSecretFrom(sessionSecret: Uint8Array): Uint8Array {
  return deriveSecret(sessionSecret, 'headwater preview tokens');
}

export class PreviewTokens {
  readonly #tokens: SignedTokens;

  constructor(secrets: Secrets) {
    this.#tokens = new SignedTokens('hw-preview+jwt', secrets);
  }

  issue(claims: PreviewClaims): Promise<string> {
    const payload: Omit<z.infer<typeof Payload>, 'exp'> = {
      prj: claims.projectId,
      ent: claims.entryId,
      loc: claims.locale,
      ...(claims.version !== undefined && { ver: claims.version }),
      ...(claims.isAlone === true && { own: 1 as const }),
      ...(claims.keyId !== undefined && { key: claims.keyId }),
      env: claims.environmentId,
      jti: claims.tokenId,
    };
    return this.#tokens.issue(payload, claims.expiresAt);
  }

  /** @throws AppError 403 `invalid_preview_token` for an unknown, altered or expired token */
  async verify(token: string, now: Date): Promise<PreviewClaims> {
    const payload = Payload.safeParse(await this.#tokens.verify(token, now)).data;
    if (payload === undefined) throw new AppError('invalid_preview_token');
    const { prj, ent, loc, ver, own, key, env, exp, jti } = payload;
    return {
      projectId: prj,
      environmentId: env,
      entryId: ent,
      locale: loc,
      version: ver,
      isAlone: own === 1 || undefined,
      keyId: key,
      expiresAt: new Date(exp * 1000),
      tokenId: jti,
    };
  }
}
