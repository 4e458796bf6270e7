import type { Actor } from '../../../../contracts/actor.js';

export interface StoredComment {
  readonly id: string;
  readonly entryId: string;
  readonly parentId: string | null;
  readonly text: string;
  readonly mentions: readonly string[];
  readonly fieldId: string | null;
  readonly fieldName: string | null;
  /** The block of the entry that has the field; null for a field of the entry. */
  readonly blockId: string | null;
  /** Whether the draft in the locale no longer has the block. */
  readonly isBlockRemoved: boolean;
  readonly locale: string | null;
  readonly rangeFrom: number | null;
  readonly rangeTo: number | null;
  readonly quote: string | null;
  readonly authorId: string | null;
  readonly createdBy: Actor;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Of the thread; null in replies. */
  readonly resolvedAt: Date | null;
  readonly resolvedBy: Actor | null;
}
