import { createHash, createHmac } from 'node:crypto';

export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  /** Lower-case names; all are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Uint8Array;
}

export interface Signer {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** As RFC 3986 has it. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Sorted, with `=` also after names without a value. */
export const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');

/** Headers of a request, with its signature (AWS Signature Version 4). */
export function signedHeaders(
  { method, url, headers, payload }: SignedRequest,
  { region, accessKeyId, secretAccessKey, sessionToken }: Signer,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[:-]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': sha256(payload),
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  };
  const names = Object.keys(all).sort();
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url.searchParams),
    ...names.map((name) => `${name}:${(all[name] ?? '').trim()}`),
    '',
    names.join(';'),
    all['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const signing = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (key, part) => hmac(key, part),
    `AWS4${secretAccessKey}`,
  );
  const signature = hmac(signing, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString(
    'hex',
  );
  const credential = `Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}`;
  return { ...all, authorization: `AWS4-HMAC-SHA256 ${credential}, Signature=${signature}` };
}
