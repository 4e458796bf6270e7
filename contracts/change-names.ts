/** Every event, in the form `entry.published` (rule events/webhooks). */
export const eventNames = [
  'api_key.created',
  'api_key.revoked',
  'comment.created',
  'comment.deleted',
  'comment.reopened',
  'comment.resolved',
  'comment.updated',
  'content_type.created',
  'content_type.deleted',
  'content_type.updated',
  'entry.approved',
  'entry.assigned',
  'entry.created',
  'entry.deleted',
  'entry.moved',
  'entry.published',
  'entry.restored',
  'entry.schedule_canceled',
  'entry.schedule_failed',
  'entry.scheduled',
  'entry.unpublished',
  'entry.updated',
  'entry.workflow_changed',
  'environment.created',
  'environment.deleted',
  'environment.promoted',
  'environment.rolled_back',
  'governance.issue_opened',
  'import.finished',
  'locale.created',
  'locale.deleted',
  'locale.updated',
  'media.created',
  'media.deleted',
  'media.locale_updated',
  'media.updated',
  'redirect.created',
  'redirect.deleted',
  'redirect.imported',
  'redirect.updated',
  'release.created',
  'release.failed',
  'release.published',
  'release.rolled_back',
  'release.scheduled',
  'search_settings.updated',
  'site.created',
  'site.deleted',
  'site.updated',
  'translation.exported',
  'translation.imported',
  'translation.stale',
  'translation.updated',
  'tree.node_created',
  'tree.node_deleted',
  'tree.node_moved',
  'tree.node_updated',
  'webhook.test',
  'workflow.created',
  'workflow.deleted',
  'workflow.updated',
] as const;
export type EventName = (typeof eventNames)[number];

/** What audit records are about; `target.type` of most of them. */
export type AuditSubject =
  | 'api_key'
  | 'comment'
  | 'content_type'
  | 'custom_field_type'
  | 'custom_report'
  | 'entry'
  | 'environment'
  | 'field'
  | 'governance'
  | 'governance_issue'
  | 'import'
  | 'ip_allowlist'
  | 'ip_rule'
  | 'locale'
  | 'media'
  | 'media_folder'
  | 'media_upload'
  | 'project'
  | 'redirect'
  | 'release'
  | 'role'
  | 'schema'
  | 'search_settings'
  | 'session'
  | 'site'
  | 'tenant'
  | 'translation'
  | 'translation_export'
  | 'translation_import'
  | 'tree_node'
  | 'user'
  | 'view'
  | 'webhook'
  | 'workflow';

export type AuditVerb =
  | 'acknowledge'
  | 'adopt'
  | 'adopt_schedule'
  | 'analyze'
  | 'append'
  | 'apply'
  | 'approve'
  | 'assign'
  | 'batch'
  | 'bulk'
  | 'challenge'
  | 'client_approve'
  | 'client_end'
  | 'client_refuse'
  | 'copy_locale'
  | 'create'
  | 'delete'
  | 'disable'
  | 'duplicate'
  | 'end'
  | 'finish'
  | 'grant'
  | 'import'
  | 'invitation_revoke'
  | 'invite'
  | 'link_identity'
  | 'locale_update'
  | 'mark_stale'
  | 'move'
  | 'open'
  | 'passkey_add'
  | 'passkey_refuse'
  | 'passkey_remove'
  | 'password_change'
  | 'password_reset'
  | 'password_reset_request'
  | 'personal_key_create'
  | 'personal_key_revoke'
  | 'preview'
  | 'promote'
  | 'publish'
  | 'recovery_codes_renew'
  | 'redeliver'
  | 'refresh'
  | 'remove'
  | 'rename'
  | 'reopen'
  | 'reschedule'
  | 'resolve'
  | 'restore'
  | 'reuse'
  | 'revoke'
  | 'rollback'
  | 'rotate'
  | 'rotate_secret'
  | 'schedule'
  | 'schedule_canceled'
  | 'schedule_failed'
  | 'second_factor_disable'
  | 'second_factor_enable'
  | 'second_factor_reset'
  | 'second_factor_start'
  | 'select'
  | 'sign'
  | 'start'
  | 'suggest'
  | 'test'
  | 'transition'
  | 'undelete'
  | 'undo'
  | 'ungrant'
  | 'unpublish'
  | 'update';

/** Of an audit record, such as `entry.update` (rule events/records). */
export type AuditAction = `${AuditSubject}.${AuditVerb}`;
