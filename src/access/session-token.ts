import { createRemoteJWKSet, errors, jwtVerify, SignJWT, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { AppError } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';

/** One algorithm, fixed by configuration (rule access/sessions). */
export type TokenSettings = {
  readonly issuer: string;
  readonly audience: string;
} & (
  | { readonly algorithm: 'HS256'; readonly secret: Uint8Array }
  | { readonly algorithm: 'EdDSA' | 'ES256' | 'RS256'; readonly jwksUrl: string }
);

/** Claims of a valid token; roles are never read from it. */
export interface SessionClaims {
  readonly userId: string;
  readonly sessionId: string | null;
  readonly expiresAt: Date;
}

export interface NewSession {
  readonly userId: string;
  readonly tenantId: string | null;
  readonly isSuperAdmin: boolean;
  readonly tokenId: string;
  readonly sessionId: string;
  readonly now: Date;
}

const ACCEPTED_TYPES = new Set(['at+jwt', 'application/at+jwt', 'jwt']);

/** Three base64url parts without padding. */
const COMPACT_FORM = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

/** Distinguishes session tokens from keys. */
function looksLikeToken(credential: string): boolean {
  return COMPACT_FORM.test(credential);
}

/** An unknown key id refetches the set, at most this often. */
const KEY_SET = { timeoutDuration: 3000, cooldownDuration: 30_000, cacheMaxAge: 600_000 } as const;

/** The key set cannot be fetched; the token may be valid. */
const isKeySetAway = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  error.code === 'ERR_JOSE_GENERIC';

export class SessionTokens {
  readonly #settings: TokenSettings;
  readonly #keys: JWTVerifyGetKey | undefined;

  constructor(settings: TokenSettings) {
    this.#settings = settings;
    this.#keys = 'jwksUrl' in settings ? createRemoteJWKSet(new URL(settings.jwksUrl), KEY_SET) : undefined;
  }

  /** False with a JWKS: an identity provider issues tokens. */
  get canIssue(): boolean {
    return this.#settings.algorithm === 'HS256';
  }

  async issue(session: NewSession): Promise<string> {
    const settings = this.#settings;
    if (settings.algorithm !== 'HS256') throw new AppError('invalid_credentials');
    const issuedAt = Math.floor(session.now.getTime() / 1000);
    return new SignJWT({ tid: session.tenantId, sid: session.sessionId, sa: session.isSuperAdmin })
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .setSubject(session.userId)
      .setJti(session.tokenId)
      .setIssuer(settings.issuer)
      .setAudience(settings.audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + limits.accessTokenSeconds)
      .sign(settings.secret);
  }

  /**
   * Checks signature, algorithm, type, issuer, audience and times.
   * @throws AppError `session_expired` or `invalid_session`; `service_unavailable` when the key set cannot be
   * fetched
   */
  async verify(token: string, now: Date): Promise<SessionClaims> {
    if (!looksLikeToken(token)) throw new AppError('invalid_session');
    const { payload, type } = await this.#read(token, now);
    const { sub, exp, iat } = payload;
    if (!ACCEPTED_TYPES.has((type ?? '').toLowerCase())) throw new AppError('invalid_session');
    if (sub === undefined || sub === '' || exp === undefined || iat === undefined)
      throw new AppError('invalid_session');
    if (exp - iat > limits.accessTokenSeconds) throw new AppError('invalid_session');
    // A token issued in the future would outlive its maximum age.
    if (iat > now.getTime() / 1000 + limits.tokenLeewaySeconds) throw new AppError('invalid_session');
    const sessionId = typeof payload.sid === 'string' ? payload.sid : null;
    return { userId: sub, sessionId, expiresAt: new Date(exp * 1000) };
  }

  async #read(token: string, now: Date): Promise<{ payload: JWTPayload; type: string | undefined }> {
    const settings = this.#settings;
    const options = {
      algorithms: [settings.algorithm],
      issuer: settings.issuer,
      audience: settings.audience,
      clockTolerance: limits.tokenLeewaySeconds,
      currentDate: now,
      requiredClaims: ['exp', 'iat', 'sub', 'aud', 'iss'],
    };
    try {
      const verified =
        settings.algorithm === 'HS256'
          ? await jwtVerify(token, settings.secret, options)
          : await jwtVerify(token, this.#keys!, options);
      return { payload: verified.payload, type: verified.protectedHeader.typ };
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new AppError('session_expired');
      if (isKeySetAway(error)) throw new AppError('service_unavailable');
      throw new AppError('invalid_session');
    }
  }
}
