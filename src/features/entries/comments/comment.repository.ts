import { AppError } from '../../../../contracts/errors.js';
import type { EntryComment } from '../../../../contracts/entries/comments/comment.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import {
  afterSql,
  orderSql,
  walkedPage,
  type Keyset,
  type ListedPage,
  type ListWindow,
  type Walk,
} from '../../shared/cursor/list-page.js';
import { pageWindow } from '../../shared/lists.js';
import type { StoredComment } from './stored-comment.js';

interface CommentQuery extends ListWindow {
  readonly entryId: string;
  /** Replies of this comment only. */
  readonly parentId: string | null;
  /** State of the thread; null for both. */
  readonly isResolved: boolean | null;
  readonly isAscending: boolean;
}

export interface CommentRecord {
  readonly verb: 'create' | 'update' | 'delete' | 'resolve' | 'reopen';
  /** Its title, and its site. */
  readonly entry: { readonly name: string; readonly siteId: string };
  readonly before: EntryComment | null;
  readonly after: EntryComment | null;
  /** Whether it was changed along with another comment. */
  readonly isAlong?: boolean;
}

/** Whether values have the block of the comment `c`, on any level. */
const hasBlock = (values: string): string => `jsonb_path_exists(${values},
    'strict $.** ? (@._ref == $id && exists (@.fields))', jsonb_build_object('id', c.block_id), true)`;

const isBlockRemoved = `c.block_id IS NOT NULL AND NOT EXISTS (SELECT FROM entries e
    LEFT JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id AND l.locale = c.locale
  WHERE e.environment_id = c.environment_id AND e.id = c.entry_id AND (${hasBlock('e.shared_fields')} OR ${hasBlock('l.fields')}))`;

const columns = `c.id, c.entry_id AS "entryId", c.parent_id AS "parentId", c.text, c.mentions, c.field_id AS "fieldId",
  c.field_name AS "fieldName", c.block_id AS "blockId", ${isBlockRemoved} AS "isBlockRemoved", c.locale, c.range_from AS "rangeFrom", c.range_to AS "rangeTo", c.quote, c.author_id AS "authorId",
  c.created_by AS "createdBy", c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.resolved_at AS "resolvedAt",
  c.resolved_by AS "resolvedBy"`;

const matching = `FROM entry_comments c LEFT JOIN entry_comments p ON p.environment_id = c.environment_id AND p.id = c.parent_id
  WHERE c.environment_id = $1 AND c.entry_id = $2 AND ($3::uuid IS NULL OR c.parent_id = $3)
    AND ($4::boolean IS NULL OR (coalesce(p.resolved_at, c.resolved_at) IS NOT NULL) = $4)`;

/** Comments of entries. Writers hold the lock of the entry. */
export class CommentRepository extends Repository {
  async list(query: CommentQuery): Promise<ListedPage<StoredComment>> {
    if (query.walk !== undefined) return this.#walk(query, query.walk);
    const total = await this.#matching(query);
    const { limit, offset, isReversed } = pageWindow(query, total);
    const direction = query.isAscending !== isReversed ? 'ASC' : 'DESC';
    const items = await this.query<StoredComment>(
      `SELECT ${columns} ${matching} ORDER BY c.id ${direction} LIMIT $5 OFFSET $6`,
      [...this.#bind(query), limit, offset],
    );
    return { items: isReversed ? items.reverse() : items, total };
  }

  async #walk(query: CommentQuery, walk: Walk): Promise<ListedPage<StoredComment>> {
    const keyset: Keyset = { keys: [{ column: 'c.id', type: 'uuid' }], isAscending: query.isAscending };
    const bind = this.#bind(query);
    const value = (given: unknown): string => `$${String(bind.push(given))}`;
    const after = afterSql(keyset, walk.after, value);
    const rows = await this.query<StoredComment>(
      `SELECT ${columns} ${matching}${after} ORDER BY ${orderSql(keyset)} LIMIT ${value(query.limit + 1)}`,
      bind,
    );
    const placed = rows.map((comment) => ({ ...comment, position: [comment.id] }));
    return { ...walkedPage(placed, query.limit), total: walk.total ?? (await this.#matching(query)) };
  }

  #bind({ entryId, parentId, isResolved }: CommentQuery): unknown[] {
    return [this.environmentId, entryId, parentId, isResolved];
  }

  async #matching(query: CommentQuery): Promise<number> {
    const sql = `SELECT count(*)::int AS total ${matching}`;
    const [count] = await this.query<{ total: number }>(sql, this.#bind(query));
    return count?.total ?? 0;
  }

  /** @throws AppError 404 `comment_not_found` */
  async find(entryId: string, id: string): Promise<StoredComment> {
    const [comment] = !isUuid(id)
      ? []
      : await this.query<StoredComment>(
          `SELECT ${columns} FROM entry_comments c WHERE c.environment_id = $1 AND c.entry_id = $2 AND c.id = $3`,
          [this.environmentId, entryId, id],
        );
    if (comment === undefined) throw new AppError('comment_not_found');
    return comment;
  }

  /** Oldest first. */
  replies(id: string): Promise<StoredComment[]> {
    return this.query<StoredComment>(
      `SELECT ${columns} FROM entry_comments c WHERE c.environment_id = $1 AND c.parent_id = $2 ORDER BY c.id`,
      [this.environmentId, id],
    );
  }

  async count(entryId: string): Promise<number> {
    const [row] = await this.query<{ total: number }>(
      'SELECT count(*)::int AS total FROM entry_comments WHERE environment_id = $1 AND entry_id = $2',
      [this.environmentId, entryId],
    );
    return row?.total ?? 0;
  }

  /** Those of the users who are active members of the project. */
  async membersAmong(userIds: readonly string[]): Promise<Set<string>> {
    if (userIds.length === 0) return new Set();
    const rows = await this.query<{ id: string }>(
      `SELECT user_id AS id FROM members WHERE tenant_id = $1 AND project_id = $2 AND user_id = ANY($3::uuid[]) AND NOT is_suspended`,
      [this.tenantId, this.projectId, [...userIds]],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async insert(comment: StoredComment): Promise<void> {
    await this.query(
      `WITH made AS (
         INSERT INTO entry_comments (tenant_id, environment_id, id, entry_id, parent_id, text, mentions, field_id, field_name,
           locale, range_from, range_to, quote, author_id, created_by, created_at, updated_at, block_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17))
       INSERT INTO comment_mentions (tenant_id, environment_id, comment_id, user_id, is_open)
       SELECT $1, $2, $3, user_id, true FROM unnest($7::uuid[]) AS user_id`,
      [
        this.tenantId,
        this.environmentId,
        comment.id,
        comment.entryId,
        comment.parentId,
        comment.text,
        [...comment.mentions],
        comment.fieldId,
        comment.fieldName,
        comment.locale,
        comment.rangeFrom,
        comment.rangeTo,
        comment.quote,
        comment.authorId,
        JSON.stringify(comment.createdBy),
        comment.createdAt,
        comment.blockId,
      ],
    );
  }

  /** Writes text and mentions. */
  async rewrite({ id, text, mentions, updatedAt }: StoredComment, isOpen: boolean): Promise<void> {
    await this.query(
      `WITH written AS (
         UPDATE entry_comments SET text = $4, mentions = $5, updated_at = $6 WHERE environment_id = $2 AND id = $3),
       dropped AS (
         DELETE FROM comment_mentions WHERE environment_id = $2 AND comment_id = $3 AND user_id <> ALL($5::uuid[]))
       INSERT INTO comment_mentions (tenant_id, environment_id, comment_id, user_id, is_open)
       SELECT $1, $2, $3, user_id, $7 FROM unnest($5::uuid[]) AS user_id ON CONFLICT DO NOTHING`,
      [this.tenantId, this.environmentId, id, text, [...mentions], updatedAt, isOpen],
    );
  }

  /** Resolves or reopens a thread; its mentions wait only while it is open. */
  async settle({ id, resolvedAt, resolvedBy, updatedAt }: StoredComment): Promise<void> {
    await this.query(
      `WITH settled AS (
         UPDATE entry_comments SET resolved_at = $3, resolved_by = $4, updated_at = $5 WHERE environment_id = $1 AND id = $2)
       UPDATE comment_mentions m SET is_open = $3::timestamptz IS NULL FROM entry_comments c
       WHERE c.environment_id = $1 AND (c.id = $2 OR c.parent_id = $2) AND m.environment_id = $1 AND m.comment_id = c.id`,
      [this.environmentId, id, resolvedAt, resolvedBy && JSON.stringify(resolvedBy), updatedAt],
    );
  }

  note({ verb, entry, before, after, isAlong }: CommentRecord): void {
    const comment = after ?? before;
    if (comment === null) return;
    this.record({
      action: `comment.${verb}`,
      target: { type: 'comment', id: comment.id, name: entry.name },
      siteId: entry.siteId,
      locale: comment.anchor?.locale ?? null,
      before: before && { ...before },
      after: after && { ...after },
      isAlong,
    });
  }

  /** With its replies. */
  async remove(id: string): Promise<void> {
    await this.query('DELETE FROM entry_comments WHERE environment_id = $1 AND id = $2', [
      this.environmentId,
      id,
    ]);
  }
}
