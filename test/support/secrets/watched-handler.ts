import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { BoundOperation } from '../../../src/procedures/index.js';
import { answeredOperations } from '../answers/answered-operations.js';
import type { AnswerWatch } from '../answers/answer-watch.js';
import { secretCalls, type CalledOperation, type SeenRequest } from './called-operations.js';
import { offeredKeys, secretsAt } from './secret-places.js';
import type { SecretWatch } from './secret-watch.js';

function parseJson(text: string): unknown {
  // The MCP endpoint may respond with one event whose data is the reply.
  const json = /^(?:event: message\n)?data: (.*)/m.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Collects the request body as the service reads it. */
function captureRequest(request: IncomingMessage): Buffer[] {
  const chunks: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: unknown, encoding) => {
    if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    return push(chunk, encoding);
  };
  return chunks;
}

/** Collects the response; `done` runs before the client sees its end. */
function captureResponse(response: ServerResponse, done: (headers: string, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let headers = '';
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string')
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const intercept = <Method extends (...given: never[]) => unknown>(
    method: Method,
    spy: (given: unknown[]) => void,
  ) =>
    ((...given: Parameters<Method>) => {
      spy(given);
      return method.apply(response, given);
    }) as Method;
  let isDone = false;
  const finish = (): void => {
    if (isDone) return;
    isDone = true;
    done(`${headers}${JSON.stringify(response.getHeaders())}`, Buffer.concat(chunks));
  };
  response.writeHead = intercept(response.writeHead, (given) => {
    headers += JSON.stringify(given);
  });
  response.write = intercept(response.write, ([chunk, encoding]) => {
    keep(chunk, encoding);
  });
  response.end = intercept(response.end, ([chunk, encoding]) => {
    keep(chunk, encoding);
    finish();
  });
  response.once('close', finish);
}

function decompress(body: Buffer, headers: string): Buffer {
  try {
    if (/content-encoding\W+gzip/i.test(headers)) return gunzipSync(body);
    if (/content-encoding\W+br\b/i.test(headers)) return brotliDecompressSync(body);
  } catch {
    // A HEAD has no body, and an aborted one cannot be decompressed.
  }
  return body;
}

const bearer = /^Bearer +(\S+)$/i;

function learnCredential(watch: SecretWatch, request: IncomingMessage): void {
  const credential = bearer.exec(request.headers.authorization ?? '')?.[1];
  if (credential === undefined) return;
  const isToken = credential.startsWith('eyJ');
  watch.learn(
    credential,
    isToken ? 'session token' : /^hw[dpm]_/.test(credential) ? 'API key' : 'other credential',
  );
}

function learnShown(watch: SecretWatch, calls: readonly CalledOperation[], reply: unknown): string[] {
  return calls.flatMap(({ places, output }) =>
    secretsAt(output(reply), places.shown).map(([secret, kind]) => {
      watch.learn(secret, kind);
      return secret;
    }),
  );
}

/** Pages that the service renders have the token of their own URL in their links, as redirects to them have. */
const ownToken = (url: string): string[] =>
  /^\/(?:preview|api\/delivery)\//.test(url)
    ? new URL(url, 'http://service').searchParams.getAll('previewToken')
    : [];

/** Larger answers have no other keys than smaller ones. */
const ANSWER_BYTES = 64 * 1024;

/** Notes the values of successful answers. */
function noteAnswers(
  watch: AnswerWatch,
  operations: readonly BoundOperation[],
): (seen: SeenRequest, body: Buffer) => void {
  const calledBy = answeredOperations(operations);
  return (seen, body) => {
    const wanted = calledBy(seen).filter(({ operation: { name } }) => watch.wants(name));
    if (wanted.length === 0 || body.length === 0 || body.length > ANSWER_BYTES) return;
    const reply = parseJson(body.toString());
    for (const { operation, output } of wanted) watch.answer(operation.name, operation.output, output(reply));
  };
}

export interface Watches {
  readonly secrets: SecretWatch;
  readonly answers?: AnswerWatch;
}

/** Learns secrets from requests and searches responses for them; notes the values of answers. */
export function watchedHandler(
  handler: RequestListener,
  operations: readonly BoundOperation[],
  { secrets: watch, answers }: Watches,
): RequestListener {
  const callsOf = secretCalls(operations);
  const note = answers && noteAnswers(answers, operations);
  return (request, response) => {
    const sent = captureRequest(request);
    const { method = '', url = '' } = request;
    learnCredential(watch, request);
    captureResponse(response, (headers, packed) => {
      const pathname = url.split('?', 1)[0] ?? '';
      const seen: SeenRequest = { method, pathname, body: parseJson(Buffer.concat(sent).toString()) };
      const calls = callsOf(seen);
      // The input of a rejected request is not a secret.
      if (response.statusCode < 300)
        for (const { places, input } of calls)
          for (const [secret, kind] of secretsAt(input, places.given)) watch.learn(secret, kind);
      const body = decompress(packed, headers);
      if (response.statusCode < 300) note?.(seen, body);
      const shown =
        calls.length === 0
          ? [...offeredKeys(pathname, body), ...ownToken(url)]
          : [
              ...learnShown(watch, calls, parseJson(body.toString())),
              ...(response.statusCode === 302 ? ownToken(url) : []),
            ];
      watch.answer(`${method} ${pathname}`, Buffer.concat([Buffer.from(`${headers}\n`), body]), shown);
    });
    handler(request, response);
  };
}
