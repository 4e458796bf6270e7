import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type { Secrets } from './media-signature.js';

const ALGORITHM = 'HS256';

/** At most 3 KB, with the canonical spelling of the signature, whose last character has two unused bits. */
const FORM = /^[\w-]{1,200}\.[\w-]{1,3000}\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/**
 * Tokens of one purpose: compact JWS (HS256). The `typ` header names the purpose; other types are rejected whatever
 * their secret.
 */
export class SignedTokens {
  constructor(
    private readonly type: `${string}+jwt`,
    private readonly secrets: Secrets,
  ) {}

  issue(claims: JWTPayload, expiresAt: Date): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: this.type })
      .setExpirationTime(Math.floor(expiresAt.getTime() / 1000))
      .sign(this.secrets[0]);
  }

  /** @returns undefined for a token that is malformed, altered, expired or of another purpose */
  async verify(token: string, now: Date): Promise<JWTPayload | undefined> {
    if (!FORM.test(token)) return undefined;
    const options = { algorithms: [ALGORITHM], typ: this.type, currentDate: now, requiredClaims: ['exp'] };
    for (const secret of this.secrets) {
      try {
        return (await jwtVerify(token, secret, options)).payload;
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) return undefined;
      }
    }
    return undefined;
  }
}
