import { grant, tenantWall, type Migration } from './migration.js';

/**
 * Comments on entries, and who they mention. A comment without a parent is the first of its thread. Indexes of tasks are in
 * the order of their lists.
 */
export const comments: Migration = {
  name: '0041-comments',
  up: `
    CREATE TABLE entry_comments (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      id uuid NOT NULL,
      parent_id uuid,
      text text NOT NULL,
      mentions uuid[] NOT NULL,
      field_id uuid,
      field_name text,
      locale text,
      range_from integer,
      range_to integer,
      quote text,
      author_id uuid,
      created_by jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      resolved_at timestamptz,
      resolved_by jsonb,
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE,
      FOREIGN KEY (environment_id, parent_id) REFERENCES entry_comments (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN entry_comments.field_name IS 'Name of the field when the comment was written.';
    COMMENT ON COLUMN entry_comments.range_from IS 'With a quote but without a range, the quoted text was deleted.';
    COMMENT ON COLUMN entry_comments.author_id IS 'Id of the user or key in created_by.';
    CREATE INDEX entry_comments_entry ON entry_comments (environment_id, entry_id, id);
    CREATE INDEX entry_comments_parent ON entry_comments (environment_id, parent_id) WHERE parent_id IS NOT NULL;
    CREATE INDEX entry_comments_anchors ON entry_comments (environment_id, entry_id) WHERE range_from IS NOT NULL;
    CREATE TABLE comment_mentions (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      comment_id uuid NOT NULL,
      user_id uuid NOT NULL,
      is_open boolean NOT NULL,
      PRIMARY KEY (environment_id, comment_id, user_id),
      FOREIGN KEY (environment_id, comment_id) REFERENCES entry_comments (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN comment_mentions.is_open IS 'Whether the thread is not resolved.';
    CREATE INDEX comment_mentions_user ON comment_mentions (environment_id, user_id, comment_id) WHERE is_open;
    DROP INDEX entry_locales_assignee;
    CREATE INDEX entry_locales_tasks ON entry_locales (environment_id, assignee_id, due_at, entry_id, locale)
      WHERE assignee_id IS NOT NULL;
    CREATE INDEX entry_locales_approvals ON entry_locales (environment_id, workflow_state, content_type_id, due_at, entry_id, locale)
      WHERE workflow_state IS NOT NULL AND NOT is_deleted;
    CREATE INDEX translations_tasks ON translations (environment_id, assignee_id, due_at, entry_id, locale)
      WHERE assignee_id IS NOT NULL AND NOT is_deleted AND status <> 'complete';
    ${tenantWall('entry_comments')}
    ${tenantWall('comment_mentions')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'entry_comments, comment_mentions')}
  `,
  down: `
    DROP INDEX translations_tasks;
    DROP INDEX entry_locales_approvals;
    DROP INDEX entry_locales_tasks;
    CREATE INDEX entry_locales_assignee ON entry_locales (environment_id, assignee_id) WHERE assignee_id IS NOT NULL;
    DROP TABLE comment_mentions, entry_comments;
  `,
};
