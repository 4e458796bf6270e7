import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../contracts/errors.js';

/** What a preview token permits (decisions 2.19): the draft, or one version, of one entry in one locale. */
export interface PreviewClaims {
  readonly projectId: string;
  readonly environmentId: string;
  readonly entryId: string;
  readonly locale: string;
  /** Absent means the draft as it stands when it is read. */
  readonly version?: number | undefined;
  /** Whole seconds. */
  readonly expiresAt: Date;
  readonly tokenId: string;
}

const Payload = z.strictObject({
  prj: z.string(),
  ent: z.string(),
  loc: z.string(),
  ver: z.int().optional(),
  env: z.string(),
  exp: z.int(),
  jti: z.string(),
});

const PREFIX = 'pv1';
const FORM = /^pv1\.([A-Za-z0-9_-]{1,1000})\.([A-Za-z0-9_-]{43})$/;

const sign = (text: string, secret: Uint8Array): Buffer => createHmac('sha256', secret).update(text).digest();

function payloadOf(encoded: string): z.infer<typeof Payload> | undefined {
  try {
    return Payload.safeParse(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

/**
 * A secret for preview tokens out of the one that signs sessions: who learns one of them does not know the
 * other.
 */
export function previewSecretFrom(sessionSecret: Uint8Array): Uint8Array {
  return Buffer.from(hkdfSync('sha256', sessionSecret, '', 'headwater preview tokens', 32));
}

/** Issues and verifies preview tokens: `pv1.<payload>.<HMAC-SHA256>`, both parts in base64url. */
export class PreviewTokens {
  /** @param secrets the first signs; every one verifies, so that a secret can be replaced while tokens live */
  constructor(private readonly secrets: readonly [Uint8Array, ...Uint8Array[]]) {}

  issue(claims: PreviewClaims): string {
    const payload: z.infer<typeof Payload> = {
      prj: claims.projectId,
      ent: claims.entryId,
      loc: claims.locale,
      ...(claims.version !== undefined && { ver: claims.version }),
      env: claims.environmentId,
      exp: claims.expiresAt.getTime() / 1000,
      jti: claims.tokenId,
    };
    const text = `${PREFIX}.${Buffer.from(JSON.stringify(payload), 'utf8').toString('base64url')}`;
    return `${text}.${sign(text, this.secrets[0]).toString('base64url')}`;
  }

  /** @throws AppError 403 `invalid_preview_token` for what was not issued here, was changed or has expired */
  verify(token: string, now: Date): PreviewClaims {
    const [, encoded = '', signature = ''] = FORM.exec(token) ?? [];
    const payload = this.#isSigned(`${PREFIX}.${encoded}`, signature) ? payloadOf(encoded) : undefined;
    if (payload === undefined || payload.exp * 1000 <= now.getTime())
      throw new AppError('invalid_preview_token');
    const { prj, ent, loc, ver, env, exp, jti } = payload;
    return {
      projectId: prj,
      environmentId: env,
      entryId: ent,
      locale: loc,
      version: ver,
      expiresAt: new Date(exp * 1000),
      tokenId: jti,
    };
  }

  #isSigned(text: string, signature: string): boolean {
    const given = Buffer.from(signature, 'base64url');
    // The last character has bits to spare: only the spelling that was issued is taken.
    if (given.toString('base64url') !== signature) return false;
    return this.secrets.some((secret) => {
      const expected = sign(text, secret);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }
}
