import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** A response served from memory; the bytes are base64. */
export interface KnownAnswer {
  readonly method: string;
  readonly url: string;
  readonly type: string;
  readonly etag: string | null;
  readonly bytes: string;
}

interface Ready {
  readonly headers: string[];
  readonly etag: string | null;
  readonly bytes: Buffer;
}

function answer(request: IncomingMessage, response: ServerResponse, ready: Ready | undefined): void {
  if (ready === undefined) {
    response.statusCode = 404;
    response.end();
  } else if (ready.etag !== null && request.headers['if-none-match'] === ready.etag) {
    response.writeHead(304, ['etag', ready.etag]);
    response.end();
  } else {
    response.writeHead(200, ready.headers);
    response.end(ready.bytes);
  }
}

/** Bare node:http: a map from URL to bytes. A POST body is read and ignored. */
export function memoryFloor(answers: readonly KnownAnswer[]): RequestListener {
  const known = new Map<string, Ready>();
  for (const { method, url, type, etag, bytes } of answers) {
    const buffer = Buffer.from(bytes, 'base64');
    const headers = ['content-type', type, 'content-length', String(buffer.length)];
    known.set(method === 'POST' ? 'POST' : url, { headers, etag, bytes: buffer });
  }
  return (request, response) => {
    if (request.method !== 'POST') {
      answer(request, response, known.get(request.url ?? ''));
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      Buffer.concat(chunks);
      answer(request, response, known.get('POST'));
    });
  };
}
