/** Headers of a request, as `fetch` or Node name them. */
type Received = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** Seconds that a delivery may be old, by default 300. */
  readonly tolerance?: number | undefined;
  /** Milliseconds since 1970, by default now. */
  readonly now?: number | undefined;
}

export interface WebhookRequest {
  readonly headers: Received;
  /** As received, before it is parsed. */
  readonly body: string;
}

function headerOf(headers: Received, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return (Array.isArray(value) ? value.join(' ') : (value as string | null | undefined)) ?? '';
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/**
 * Whether a delivery is genuine and recent. During a rotation of secrets a delivery has a signature by each.
 * @param secret as the service returned it, `whsec_…`
 */
export async function verifyWebhook(
  secret: string,
  { headers, body }: WebhookRequest,
  { tolerance = 300, now = Date.now() }: WebhookOptions = {},
): Promise<boolean> {
  const [id, at] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')];
  const key = bytesOf(secret.replace(/^whsec_/, ''));
  if (key === undefined || key.length === 0 || id === '' || !/^\d+$/.test(at)) return false;
  if (Math.abs(now / 1000 - Number(at)) > tolerance) return false;
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, hmac, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${at}.${body}`);
  for (const signature of headerOf(headers, 'webhook-signature').split(' ')) {
    const given = signature.startsWith('v1,') ? bytesOf(signature.slice('v1,'.length)) : undefined;
    if (given !== undefined && (await crypto.subtle.verify('HMAC', imported, given, signed))) return true;
  }
  return false;
}
