import { grant, tenantWall, type Migration } from './migration.js';

/** What concerns a user, and when they want mail about it (rule access/notifications). */
export const notifications: Migration = {
  name: '0091-notifications',
  up: `
    CREATE TABLE notifications (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      user_id uuid NOT NULL,
      project_id uuid NOT NULL,
      environment_id uuid,
      kind text NOT NULL,
      entry_id uuid,
      locale text,
      field text,
      block_id uuid,
      comment_id uuid,
      subject_id uuid,
      title text NOT NULL,
      quote text,
      actor jsonb NOT NULL,
      at timestamptz NOT NULL,
      read_at timestamptz,
      mail_at timestamptz,
      dedupe text NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
    );
    COMMENT ON COLUMN notifications.environment_id IS 'Null: it is about something of the project.';
    COMMENT ON COLUMN notifications.mail_at IS 'When it is due to be sent by mail; null: never, or it was sent.';
    COMMENT ON COLUMN notifications.dedupe IS 'What happened: a user hears of it once.';
    CREATE INDEX notifications_user ON notifications (user_id, at DESC, id DESC);
    CREATE UNIQUE INDEX notifications_dedupe_key ON notifications (tenant_id, user_id, dedupe);
    CREATE INDEX notifications_environment ON notifications (environment_id) WHERE environment_id IS NOT NULL;
    CREATE INDEX notifications_mail ON notifications (mail_at) WHERE mail_at IS NOT NULL;
    CREATE INDEX notifications_at ON notifications (at);
    ${tenantWall('notifications', 'tenant_id', 'OR is_platform_work()')}

    CREATE TABLE notification_settings (
      user_id uuid PRIMARY KEY REFERENCES users,
      tenant_id uuid,
      mail jsonb NOT NULL
    );
    ${tenantWall('notification_settings', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'notifications, notification_settings')}

    CREATE INDEX entry_locales_due ON entry_locales (environment_id, due_at) WHERE due_at IS NOT NULL AND NOT is_deleted;
  `,
  down: `
    DROP INDEX entry_locales_due;
    DROP TABLE notifications, notification_settings;
  `,
};
