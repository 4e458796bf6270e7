import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { z } from 'zod';
import { createHash } from 'node:crypto';
import { AppError } from '../../contracts/errors.js';
import { deriveSecret, deriveSecrets, type Secrets } from './media-signature.js';

const ALGORITHM = 'HS256';

/** At most 3 KB, with the canonical spelling of the signature, whose last character has two unused bits. */
const FORM = /^[\w-]{1,200}\.[\w-]{1,3000}\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/**
 * Tokens of one purpose: compact JWS (HS256). The `typ` header names the purpose; other types are rejected whatever
 * their secret.
 */
class SignedTokens {
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

const PreviewPayload = z.strictObject({
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

/** A site whose drafts the holder reads until then (rule publication/preview-sessions). */
export interface PreviewSessionClaims {
  readonly projectId: string;
  readonly environmentId: string;
  readonly siteId: string;
  /** Absent: all of the site. */
  readonly locales?: readonly string[] | undefined;
  /** What it shows instead of drafts. */
  readonly releaseId?: string | undefined;
  readonly at?: Date | undefined;
  /** Who made it, and must still be able to when it is used. */
  readonly maker: { readonly kind: 'user' | 'api_key'; readonly id: string };
  /** The login session of a user who made it, which it ends with. */
  readonly loginId?: string | undefined;
  /** Origin of the site's preview address, which may be shown in a frame; absent without one. */
  readonly siteOrigin?: string | undefined;
  /** Whole seconds. */
  readonly expiresAt: Date;
  readonly tokenId: string;
}

const SessionPayload = z.strictObject({
  prj: z.string(),
  env: z.string(),
  sit: z.string(),
  loc: z.array(z.string()).optional(),
  rel: z.string().optional(),
  /** Milliseconds. */
  tim: z.int().optional(),
  knd: z.enum(['user', 'api_key']),
  sub: z.string(),
  ses: z.string().optional(),
  org: z.string().optional(),
  exp: z.int(),
  jti: z.string(),
});

const SESSION_TYPE = 'hw-preview-session+jwt';
const SESSION_HEAD = `${Buffer.from(JSON.stringify({ alg: ALGORITHM, typ: SESSION_TYPE })).toString('base64url')}.`;

/** By its head only: whether it is valid remains to be verified. */
export const isPreviewSession = (token: string): boolean => token.startsWith(SESSION_HEAD);

export function previewSecretFrom(sessionSecret: Uint8Array): Uint8Array {
  return deriveSecret(sessionSecret, 'headwater preview tokens');
}

export class PreviewTokens {
  readonly #tokens: SignedTokens;

  constructor(secrets: Secrets) {
    this.#tokens = new SignedTokens('hw-preview+jwt', secrets);
  }

  issue(claims: PreviewClaims): Promise<string> {
    const payload: Omit<z.infer<typeof PreviewPayload>, 'exp'> = {
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
    const payload = PreviewPayload.safeParse(await this.#tokens.verify(token, now)).data;
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

/** Tokens of preview sessions; their `typ` distinguishes them from those of links, which have the same secrets. */
export class PreviewSessionTokens {
  readonly #tokens: SignedTokens;

  constructor(secrets: Secrets) {
    this.#tokens = new SignedTokens(SESSION_TYPE, secrets);
  }

  issue({ maker, ...claims }: PreviewSessionClaims): Promise<string> {
    const payload: Omit<z.infer<typeof SessionPayload>, 'exp'> = {
      prj: claims.projectId,
      env: claims.environmentId,
      sit: claims.siteId,
      ...(claims.locales !== undefined && { loc: [...claims.locales] }),
      ...(claims.releaseId !== undefined && { rel: claims.releaseId }),
      ...(claims.at !== undefined && { tim: claims.at.getTime() }),
      knd: maker.kind,
      sub: maker.id,
      ...(claims.loginId !== undefined && { ses: claims.loginId }),
      ...(claims.siteOrigin !== undefined && { org: claims.siteOrigin }),
      jti: claims.tokenId,
    };
    return this.#tokens.issue(payload, claims.expiresAt);
  }

  /** @throws AppError 403 `invalid_preview_token` for an unknown, altered or expired token */
  async verify(token: string, now: Date): Promise<PreviewSessionClaims> {
    const payload = SessionPayload.safeParse(await this.#tokens.verify(token, now)).data;
    if (payload === undefined) throw new AppError('invalid_preview_token');
    const { prj, env, sit, loc, rel, tim, knd, sub, ses, org, exp, jti } = payload;
    const maker = { kind: knd, id: sub };
    const place = { projectId: prj, environmentId: env, siteId: sit, locales: loc };
    const future = { releaseId: rel, at: tim === undefined ? undefined : new Date(tim) };
    const end = { expiresAt: new Date(exp * 1000), tokenId: jti };
    return { ...place, ...future, maker, loginId: ses, siteOrigin: org, ...end };
  }
}

/** The call that a key confirms (rule access/confirmation). */
export interface ConfirmedCall {
  readonly keyId: string;
  readonly projectId: string;
  readonly environmentId: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const ConfirmPayload = z.strictObject({ cal: z.string(), ver: z.int().optional(), exp: z.int() });

/** JSON with sorted keys: equal values give equal strings. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

const digestOf = ({ keyId, projectId, environmentId, operation, input }: ConfirmedCall): string =>
  createHash('sha256')
    .update(canonical([projectId, environmentId, keyId, operation, input]))
    .digest('base64url');

/** Tokens with which keys confirm public or irreversible calls. */
export class ConfirmTokens {
  readonly #tokens: SignedTokens;

  /** @param secrets of preview tokens; separate secrets are derived from them */
  constructor(secrets: Secrets) {
    this.#tokens = new SignedTokens('hw-confirm+jwt', deriveSecrets(secrets, 'headwater confirm tokens'));
  }

  /** @param version of the entry in the preview, if any */
  issue(call: ConfirmedCall, version: number | undefined, expiresAt: Date): Promise<string> {
    return this.#tokens.issue(
      { cal: digestOf(call), ...(version !== undefined && { ver: version }) },
      expiresAt,
    );
  }

  /** @returns the previewed version, if any; undefined for an invalid or expired token, or another call */
  async verify(
    token: string,
    call: ConfirmedCall,
    now: Date,
  ): Promise<{ readonly version?: number } | undefined> {
    const { data } = ConfirmPayload.safeParse(await this.#tokens.verify(token, now));
    if (data?.cal !== digestOf(call)) return undefined;
    return data.ver === undefined ? {} : { version: data.ver };
  }
}

/** Who reads the feed of an environment: a user or key, with the rights that they have when they read it. */
interface FeedReader {
  readonly environmentId: string;
  readonly kind: 'user' | 'api_key';
  readonly id: string;
}

const FeedPayload = z.strictObject({
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
    const { data } = FeedPayload.safeParse(await this.#tokens.verify(token, now));
    return data && { environmentId: data.env, kind: data.knd, id: data.sub };
  }
}
