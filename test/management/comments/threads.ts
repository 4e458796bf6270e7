import type { Response } from 'supertest';
import type { Desk } from '../../support/desk.js';

export interface Comment {
  readonly id: string;
  readonly parentId: string | null;
  readonly text: string;
  readonly mentions: string[];
  readonly anchor: {
    readonly field: string;
    readonly block: string | null;
    readonly locale: string;
    readonly from: number | null;
    readonly to: number | null;
    readonly quote: string | null;
    readonly orphaned: boolean;
  } | null;
  readonly resolvedAt: string | null;
}

export const say = (desk: Desk, entryId: string, text: string, rest: object = {}): Promise<Response> =>
  desk.post(`/entries/${entryId}/comments`, { text, ...rest });

export async function said(desk: Desk, entryId: string, text: string, rest: object = {}): Promise<Comment> {
  const made = await say(desk, entryId, text, rest);
  if (made.status !== 201) throw new Error(`POST comments: ${String(made.status)} ${made.text}`);
  return made.body.data as Comment;
}

export const read = async (desk: Desk, entryId: string, id: string): Promise<Comment> =>
  (await desk.get(`/entries/${entryId}/comments/${id}`)).body.data as Comment;

export const anchorOf = async (desk: Desk, entryId: string, id: string) =>
  (await read(desk, entryId, id)).anchor;
