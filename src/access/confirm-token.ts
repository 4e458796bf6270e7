import { createHash } from 'node:crypto';
import { z } from 'zod';
import { deriveSecrets, type Secrets } from './media-signature.js';
import { SignedTokens } from './signed-token.js';

/** The call that a key confirms (rule access/confirmation). */
export interface ConfirmedCall {
  readonly keyId: string;
  readonly projectId: string;
  readonly environmentId: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const Payload = z.strictObject({ cal: z.string(), ver: z.int().optional(), exp: z.int() });

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
    const { data } = Payload.safeParse(await this.#tokens.verify(token, now));
    if (data?.cal !== digestOf(call)) return undefined;
    return data.ver === undefined ? {} : { version: data.ver };
  }
}
