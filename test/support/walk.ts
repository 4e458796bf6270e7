import type { Response } from 'supertest';
import { column } from './desk.js';

type Read = (query: string) => Promise<Response>;

interface Steps {
  readonly limit: number;
  readonly key?: string;
  /** Runs after each page with the number of pages read. */
  readonly between?: (pages: number) => Promise<unknown>;
}

function expectPage({ status, body }: Response): { meta: { nextCursor?: string | null; pages: number } } {
  if (status !== 200) throw new Error(`${String(status)} ${JSON.stringify(body)}`);
  return body as { meta: { nextCursor?: string | null; pages: number } };
}

/** Reads a list by cursor, from the first page to the last. */
export async function byCursor(read: Read, { limit, key = 'id', between }: Steps): Promise<unknown[]> {
  const found: unknown[] = [];
  let cursor: string | null = '*';
  for (let pages = 1; cursor !== null; pages += 1) {
    const page: Response = await read(`limit=${String(limit)}&cursor=${cursor}`);
    cursor = expectPage(page).meta.nextCursor ?? null;
    found.push(...column(page, key));
    await between?.(pages);
  }
  return found;
}

/** Reads a list by page number, from the first page to the last. */
export async function byPage(read: Read, { limit, key = 'id' }: Steps): Promise<unknown[]> {
  const found: unknown[] = [];
  let pages = 1;
  for (let page = 1; page <= pages; page += 1) {
    const answer = await read(`limit=${String(limit)}&page=${String(page)}`);
    ({ pages } = expectPage(answer).meta);
    found.push(...column(answer, key));
  }
  return found;
}
