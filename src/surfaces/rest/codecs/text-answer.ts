import type { IncomingMessage } from 'node:http';
import type { TextResponse } from '../../../../contracts/metadata.js';
import { type HttpAnswer, type HeaderList, NO_STORE } from '../../http/answer.js';
import { entityTag, isNotModified } from '../../http/entity.js';
import { Readable } from 'node:stream';

interface Exchanged {
  readonly request: IncomingMessage;
  /** Without `Cache-Control` of the text itself. */
  readonly headers: HeaderList;
}

/** Caches of the client keep the text, and ask again before each use. */
function revalidated(answer: HttpAnswer & { body: { text: string } }, { request }: Exchanged): HttpAnswer {
  const tag = entityTag(answer.body.text);
  const headers = ['Cache-Control', 'private, no-cache', 'ETag', tag];
  if (isNotModified(request.headers['if-none-match'], tag)) return { status: 304, headers, body: null };
  return { ...answer, headers: [...answer.headers, ...headers] };
}

/** The text that is the response; undefined for JSON. */
export function textIn(
  response: TextResponse,
  data: Readonly<Record<string, unknown>>,
): TextResponse | undefined {
  if (response.isOptional !== true || data[response.key] !== undefined) return response;
  const other = response.others?.find(({ key }) => data[key] !== undefined);
  return other && { ...response, ...other };
}

/** The text as a download. */
export function textAnswer(
  { key, fileName, mediaType, isRevalidated }: TextResponse,
  data: Readonly<Record<string, unknown>>,
  exchanged: Exchanged,
): HttpAnswer {
  const name = String(data[fileName]).replace(/[^\w.-]/g, '_');
  const disposition = ['Content-Disposition', `attachment; filename="${name}"`];
  const body = { text: String(data[key]), mediaType: `${mediaType}; charset=utf-8` };
  if (isRevalidated === true) return revalidated({ status: 200, headers: disposition, body }, exchanged);
  return { status: 200, headers: [...exchanged.headers, ...disposition], body };
}

export const LINES = 'application/x-ndjson';

interface CursorPage {
  readonly data: readonly unknown[];
  readonly meta: { readonly nextCursor: string | null };
}

type ReadPage = (cursor?: string) => Promise<unknown>;

async function* linesOf(first: CursorPage, readPage: ReadPage): AsyncGenerator<string> {
  let page = first;
  for (;;) {
    if (page.data.length > 0) yield page.data.map((item) => `${JSON.stringify(item)}\n`).join('');
    const { nextCursor } = page.meta;
    if (nextCursor === null) return;
    page = (await readPage(nextCursor)) as CursorPage;
  }
}

/** Streams all pages, one item per line; one page is in memory. */
export async function linesAnswer(readPage: ReadPage): Promise<HttpAnswer> {
  const first = (await readPage()) as CursorPage;
  const stream = Readable.from(linesOf(first, readPage));
  return { status: 200, headers: NO_STORE, body: { stream, mediaType: `${LINES}; charset=utf-8` } };
}
