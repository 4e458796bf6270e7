import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { SealedBox } from '../../../../access/sealed-box.js';
import { targetProblem, type TargetRules } from '../../../../infrastructure/webhook-target.js';
import type { StoredHeader } from '../webhook.repository.js';

/** Headers that the service or the connection sets. */
const RESERVED_HEADERS =
  /^(?:webhook-.*|host|content-.*|transfer-encoding|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect|user-agent|x-request-id|accept-encoding)$/i;

interface GivenHeader {
  readonly name: string;
  readonly value?: string | null | undefined;
  readonly secret: boolean;
}

/**
 * Host names are checked again at each call.
 * @throws AppError 422 `webhook_url_refused`
 */
export function assertTarget(url: string, rules: TargetRules): void {
  const reason = targetProblem(url, rules);
  if (reason !== undefined) throw new AppError('webhook_url_refused', { path: ['url'], reason });
}

/**
 * Encrypts the values of secret headers. One without a value keeps its stored value.
 * @throws AppError 422 `validation_failed`
 */
export function storedHeaders(
  given: readonly GivenHeader[],
  {
    webhookId,
    before,
    secretBox,
  }: { webhookId: string; before: readonly StoredHeader[]; secretBox: SealedBox },
): StoredHeader[] {
  const names = new Set<string>();
  return given.map(({ name, value, secret }, index) => {
    const refuse = (code: string, message: string) =>
      invalidInput({ path: ['headers', index, 'name'], code, message });
    const key = name.toLowerCase();
    if (RESERVED_HEADERS.test(name)) throw refuse('not_allowed', 'The service sets this header. Remove it.');
    if (names.has(key)) throw refuse('repeated', 'The header is listed more than once.');
    names.add(key);
    if (typeof value === 'string')
      return secret ? { name, sealed: secretBox.sealText(value, webhookId) } : { name, value };
    const kept = before.find((header) => header.name.toLowerCase() === key);
    if (secret && kept !== undefined && 'sealed' in kept) return { name, sealed: kept.sealed };
    throw invalidInput({
      path: ['headers', index, 'value'],
      code: 'required',
      message: 'A value is required, also for a secret header when the URL has another origin.',
    });
  });
}
