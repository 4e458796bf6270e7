import { Readable } from 'node:stream';
import { NO_STORE, type Answer } from '../../http/answer.js';

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
export async function linesAnswer(readPage: ReadPage): Promise<Answer> {
  const first = (await readPage()) as CursorPage;
  const stream = Readable.from(linesOf(first, readPage));
  return { status: 200, headers: NO_STORE, body: { stream, mediaType: `${LINES}; charset=utf-8` } };
}
