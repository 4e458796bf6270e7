import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { invalidInput, type AppError } from '../../../../../contracts/errors.js';
import type { Secrets } from '../../../../access/media-signature.js';

const snapshot = z.string().regex(/^\d{1,20}:\d{1,20}:[\d,]{0,2000}$/);

/** A state of the database, of which every later transaction is told apart. */
const SyncMoment = z.strictObject({
  snapshot,
  /** Seconds since 1970. */
  at: z.number(),
  /** Of the database cluster and its history: after a restore, numbers of transactions mean others. */
  cluster: z.string().max(100),
});
export type SyncMoment = z.infer<typeof SyncMoment>;

/** What is to be read again, beside the documents that have changed themselves. */
const SyncScope = z.strictObject({
  /** Ids of content types whose entries are read; null: everything. */
  types: z.array(z.uuid()).nullable(),
  /** Locales that the site served before. */
  left: z.array(z.string().max(100)),
});
export type SyncScope = z.infer<typeof SyncScope>;

/** Where a walk through the content is: at a part of a kind, after a position. */
const SyncWalk = z.strictObject({
  kind: z.enum(['entry', 'asset', 'route', 'redirect']),
  part: z.string().max(200),
  after: z.array(z.string().max(8192)).max(2),
});
export type SyncWalk = z.infer<typeof SyncWalk>;

const SyncState = z.strictObject({
  /** Everything before it has been returned, or is returned by the walk. */
  since: SyncMoment,
  scope: SyncScope.optional(),
  /** The content in the scope is being read; what changed since then follows. */
  walk: SyncWalk.optional(),
  /** Changes up to this moment are being read, and what was returned last of them. */
  until: SyncMoment.optional(),
  after: z.tuple([z.string().regex(/^\d{1,20}$/), z.string().regex(/^\d{1,20}$/)]).optional(),
});
export type SyncState = z.infer<typeof SyncState>;

/** Whose cursor it is. */
export interface SyncReader {
  readonly environmentId: string;
  readonly siteId: string;
  /** Whether inactive sites are visible. */
  readonly isPreview: boolean;
  /** Those that the caller is limited to. */
  readonly locales: readonly string[] | null;
}

const invalidCursor = (): AppError =>
  invalidInput({
    path: ['cursor'],
    code: 'invalid_cursor',
    message:
      'The cursor is invalid, or of another site, environment or type of key. Start again without a cursor.',
  });

const FORM = /^([\w-]+)\.([\w-]{43})$/;

/** Signed cursors, which only the reader they were issued to can use. */
export class SyncCursors {
  constructor(private readonly secrets: Secrets) {}

  issue(reader: SyncReader, state: SyncState): string {
    const payload = Buffer.from(JSON.stringify(state)).toString('base64url');
    return `${payload}.${signatureOf(this.secrets[0], reader, payload).toString('base64url')}`;
  }

  /** @throws AppError 422 `validation_failed` with the issue `invalid_cursor` */
  read(reader: SyncReader, cursor: string): SyncState {
    const [, payload = '', signature = ''] = FORM.exec(cursor) ?? [];
    const given = Buffer.from(signature, 'base64url');
    const isSigned =
      given.toString('base64url') === signature &&
      given.length === 32 &&
      this.secrets.some((secret) => timingSafeEqual(signatureOf(secret, reader, payload), given));
    if (!isSigned) throw invalidCursor();
    const { data } = SyncState.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    // One of another release of the service.
    if (data === undefined) throw invalidCursor();
    return data;
  }
}

function signatureOf(secret: Uint8Array, reader: SyncReader, payload: string): Buffer {
  const { environmentId, siteId, isPreview, locales } = reader;
  const bound = JSON.stringify(['sync', environmentId, siteId, isPreview, locales, payload]);
  return createHmac('sha256', secret).update(bound).digest();
}
