import { LRUCache } from 'lru-cache';
import type * as OpenId from 'openid-client';
import { hashOfToken } from '../ids.js';
import { lazy } from '../lazy.js';
import { NeighbourFailure, type Neighbour } from '../neighbours/neighbour.js';

export interface ProviderSettings {
  /** Https, or http on loopback. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
}

/** What one sign-on must find again in the answer of the provider. */
export interface SignOnChecks {
  readonly state: string;
  readonly nonce: string;
  /** PKCE, RFC 7636. */
  readonly codeVerifier: string;
}

/** Whom the provider has identified. */
export interface ProvenIdentity {
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  readonly groups: readonly string[];
  /** Where the user ends the session at the provider; null if it has no such page. */
  readonly logoutUrl: string | null;
}

export class SignOnFailure extends Error {
  override readonly name = 'SignOnFailure';

  constructor(
    /** `unavailable`: the provider does not respond; `refused`: its answer proves nothing. */
    readonly kind: 'unavailable' | 'refused',
    /** One word. */
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`sign-on ${kind}: ${reason}`, { cause });
  }
}

/** Documents of providers are read again after this time. */
const KNOWN_MILLISECONDS = 10 * 60_000;
const KNOWN_PROVIDERS = 200;
/** Of an answer; discovery documents and key sets have a few kilobytes. */
const MAXIMUM_BYTES = 1_048_576;

/** Fails when the answer is longer than any that is expected, however fast it comes. */
async function boundedAnswer(response: Response): Promise<Response> {
  const parts: Uint8Array[] = [];
  const reader = response.body?.getReader();
  let size = 0;
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    const part = read.value as Uint8Array;
    size += part.length;
    if (size > MAXIMUM_BYTES) throw new SignOnFailure('refused', 'answer_too_large');
    parts.push(part);
  }
  const { status, statusText, headers } = response;
  const body = parts.length === 0 ? null : Buffer.concat(parts);
  return new Response(body, { status, statusText, headers });
}

const keyOf = ({ issuer, clientId, clientSecret }: ProviderSettings): string =>
  hashOfToken(JSON.stringify([issuer, clientId, clientSecret])).toString('base64url');

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** A claim that lists groups, or names one. */
function groupsOf(claim: unknown): string[] {
  const listed: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return listed.filter((group): group is string => typeof group === 'string');
}

const UNREACHABLE = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** Failures of the network have no code of OAuth; the codes of the others name what is wrong. */
function failureOf(error: unknown): SignOnFailure {
  if (error instanceof SignOnFailure) return error;
  if (error instanceof NeighbourFailure) return new SignOnFailure('unavailable', error.reason, error);
  const { name, code, error: answer, cause } = error as Record<'name' | 'code' | 'error' | 'cause', unknown>;
  if (name === 'AuthorizationResponseError')
    return new SignOnFailure('refused', textOf(answer) ?? 'refused', error);
  if (name === 'ResponseBodyError') return new SignOnFailure('refused', 'code_refused', error);
  const inner = cause instanceof SignOnFailure ? cause : undefined;
  if (inner !== undefined) return inner;
  if (typeof code !== 'string' || !code.startsWith('OAUTH_') || UNREACHABLE.has(code))
    return new SignOnFailure('unavailable', 'no_answer', error);
  return new SignOnFailure('refused', 'invalid_answer', error);
}

/**
 * OpenID Connect with authorization code and PKCE, at providers that super-admins name: they may be in a private
 * network. Signatures of ID tokens are always verified.
 */
export class IdentityProviders {
  readonly #library = lazy(() => import('openid-client'));
  readonly #known = new LRUCache<string, OpenId.Configuration>({
    max: KNOWN_PROVIDERS,
    ttl: KNOWN_MILLISECONDS,
  });

  constructor(private readonly neighbour: Neighbour) {}

  /** @throws SignOnFailure */
  async authorizationUrl(
    settings: ProviderSettings,
    request: SignOnChecks & { readonly redirectUri: string; readonly scopes: readonly string[] },
  ): Promise<string> {
    const library = await this.#library.get();
    const provider = await this.#provider(library, settings);
    return library.buildAuthorizationUrl(provider, {
      redirect_uri: request.redirectUri,
      scope: [...new Set(['openid', ...request.scopes])].join(' '),
      state: request.state,
      nonce: request.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(request.codeVerifier),
      code_challenge_method: 'S256',
    }).href;
  }

  /**
   * Exchanges the code of the answer for the identity.
   * @param answer the redirect URI with the parameters that the provider added
   * @throws SignOnFailure
   */
  async identify(
    settings: ProviderSettings,
    answer: URL,
    { state, nonce, codeVerifier, groupsClaim }: SignOnChecks & { readonly groupsClaim: string },
  ): Promise<ProvenIdentity> {
    const library = await this.#library.get();
    const provider = await this.#provider(library, settings);
    const tokens = await this.#call(() =>
      library.authorizationCodeGrant(provider, answer, {
        pkceCodeVerifier: codeVerifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      }),
    );
    const claims = { ...tokens.claims() };
    const subject = textOf(claims.sub);
    if (subject === null) throw new SignOnFailure('refused', 'invalid_answer');
    // Small ID tokens leave the profile to the endpoint for it.
    const hasAll = 'email' in claims && groupsClaim in claims;
    const hasEndpoint = provider.serverMetadata().userinfo_endpoint !== undefined;
    const profile =
      hasAll || !hasEndpoint
        ? {}
        : await this.#call(() => library.fetchUserInfo(provider, tokens.access_token, subject));
    const known: Readonly<Record<string, unknown>> = { ...profile, ...claims };
    return {
      subject,
      email: textOf(known.email),
      isEmailVerified: known.email_verified === true,
      name: textOf(known.name),
      groups: groupsOf(known[groupsClaim]),
      logoutUrl: this.#logoutUrl(library, provider, { idToken: tokens.id_token, answer }),
    };
  }

  /** Reads the provider's document now. @throws SignOnFailure */
  async check(settings: ProviderSettings): Promise<void> {
    this.#known.delete(keyOf(settings));
    await this.#provider(await this.#library.get(), settings);
  }

  #logoutUrl(
    library: typeof OpenId,
    provider: OpenId.Configuration,
    { idToken, answer }: { readonly idToken: string | undefined; readonly answer: URL },
  ): string | null {
    if (provider.serverMetadata().end_session_endpoint === undefined || idToken === undefined) return null;
    return library.buildEndSessionUrl(provider, {
      id_token_hint: idToken,
      post_logout_redirect_uri: new URL('.', answer).href,
    }).href;
  }

  async #provider(library: typeof OpenId, settings: ProviderSettings): Promise<OpenId.Configuration> {
    const { issuer, clientId, clientSecret } = settings;
    const key = keyOf(settings);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const isPlain = new URL(issuer).protocol === 'http:';
    const found = await this.#call(() =>
      library.discovery(new URL(issuer), clientId, clientSecret ?? undefined, undefined, {
        execute: [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])],
        timeout: this.neighbour.stallMs / 1000,
        [library.customFetch]: async (url, options) =>
          boundedAnswer(await fetch(url, { ...options, redirect: 'manual' } as RequestInit)),
      }),
    );
    this.#known.set(key, found);
    return found;
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.neighbour.call(work);
    } catch (error) {
      throw failureOf(error);
    }
  }
}
