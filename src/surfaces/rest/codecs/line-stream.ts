import type { IncomingMessage, ServerResponse } from 'node:http';
import { streamText } from './stream-text.js';

/** The media type of answers that are one JSON value in each line. */
export const LINES = 'application/x-ndjson';

interface CursorPage {
  readonly data: readonly unknown[];
  readonly meta: { readonly nextCursor: string | null };
}

/** Reads one page; without a cursor the first that the caller asked for. */
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

/** Sends every page of a list as lines while it is read, so that never more than one stands in memory. */
export async function sendLines(
  exchange: { request: IncomingMessage; response: ServerResponse },
  readPage: ReadPage,
): Promise<void> {
  const first = (await readPage()) as CursorPage;
  const { response } = exchange;
  response.setHeader('Content-Type', `${LINES}; charset=utf-8`);
  response.setHeader('Cache-Control', 'no-store');
  await streamText(exchange, linesOf(first, readPage));
}
