import { createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

export interface HttpsScanner {
  readonly url: string;
  readonly secret: Uint8Array;
  readonly signal: AbortSignal;
  /** Called as bytes are sent. */
  progressed(): void;
}

/**
 * Posts the file. The scanner responds with `{"status": "clean"}` or `{"status": "infected"}`. It verifies the sender
 * by `X-Headwater-Signature`: the HMAC-SHA256, in hexadecimal, of `X-Headwater-Timestamp` and the length of the body,
 * joined by a dot.
 * @throws Error without a verdict
 */
export async function scanOverHttps(
  { url, secret, signal, progressed }: HttpsScanner,
  file: string,
): Promise<boolean> {
  const { request } = await import('undici');
  const { size } = await stat(file);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const { statusCode, body } = await request(url, {
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(size),
      'x-headwater-timestamp': timestamp,
      'x-headwater-signature': createHmac('sha256', secret)
        .update(`${timestamp}.${String(size)}`)
        .digest('hex'),
    },
    headersTimeout: 0,
    body: createReadStream(file).on('data', progressed),
  });
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`the scanner responded with ${String(statusCode)}`);
  }
  const { status } = (await body.json()) as { status?: unknown };
  if (status !== 'clean' && status !== 'infected') throw new Error('the scanner gave no verdict');
  return status === 'clean';
}
