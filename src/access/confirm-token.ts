import { createHash } from 'node:crypto';
import { z } from 'zod';
import { derivedSecret, SignedText } from './signed-text.js';

/** What an agent was shown and is asked to confirm (decisions 2.24). */
export interface ConfirmedCall {
  readonly keyId: string;
  readonly projectId: string;
  readonly tool: string;
  /** The arguments as they were sent, without `dryRun` and `confirmToken`. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

const Payload = z.strictObject({ cal: z.string(), ver: z.int().optional(), exp: z.int() });

/** JSON with sorted keys: equal values have one text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

const digestOf = ({ keyId, projectId, tool, arguments: values }: ConfirmedCall): string =>
  createHash('sha256')
    .update(canonical([projectId, keyId, tool, values]))
    .digest('base64url');

/** Issues and verifies the tokens by which agents confirm what cannot be taken back. */
export class ConfirmTokens {
  readonly #texts: SignedText;

  /** @param secrets others are made of them, so that these tokens pass for nothing else; the first one signs */
  constructor([first, ...others]: readonly [Uint8Array, ...Uint8Array[]]) {
    const derived = (secret: Uint8Array) => derivedSecret(secret, 'headwater confirm tokens');
    this.#texts = new SignedText('ct1', [derived(first), ...others.map(derived)]);
  }

  /** @param version the version that the preview was made of, where there was one */
  issue(call: ConfirmedCall, version: number | undefined, expiresAt: Date): string {
    return this.#texts.seal({
      cal: digestOf(call),
      ...(version !== undefined && { ver: version }),
      exp: Math.floor(expiresAt.getTime() / 1000),
    });
  }

  /**
   * What a token confirms: undefined where it is not for this very call or has expired; `version` is the
   * one that the preview was made of.
   */
  verify(token: string, call: ConfirmedCall, now: Date): { readonly version?: number } | undefined {
    const { data } = Payload.safeParse(this.#texts.open(token));
    if (data === undefined || data.exp * 1000 <= now.getTime() || data.cal !== digestOf(call))
      return undefined;
    return data.ver === undefined ? {} : { version: data.ver };
  }
}
