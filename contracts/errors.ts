import type { z } from 'zod';

/**
 * Every error code with its HTTP status and default message. REST envelopes, GraphQL `extensions.code`, tRPC error
 * data and MCP tool results use it.
 */
export const errorTable = {
  invalid_json: { status: 400, message: 'The request body is not valid JSON.' },
  invalid_request: { status: 400, message: 'The request is malformed.' },
  graphql_parse_failed: { status: 400, message: 'The GraphQL document has a syntax error.' },
  graphql_validation_failed: { status: 400, message: 'The GraphQL document does not match the schema.' },
  graphql_request_invalid: { status: 400, message: 'The GraphQL request body is invalid.' },
  query_depth_exceeded: { status: 400, message: 'The query is nested too deeply.' },
  query_complexity_exceeded: { status: 400, message: 'The query is too complex.' },
  introspection_disabled: { status: 400, message: 'Introspection is not available to delivery keys.' },
  preview_not_allowed: { status: 400, message: 'A delivery key cannot read drafts.' },
  unauthorized: { status: 401, message: 'Authentication required. Send Authorization: Bearer <key>.' },
  invalid_api_key: { status: 401, message: 'The API key is not valid.' },
  api_key_revoked: { status: 401, message: 'The API key has been revoked.' },
  api_key_expired: { status: 401, message: 'The API key has expired.' },
  invalid_session: { status: 401, message: 'The session token is not valid.' },
  session_expired: { status: 401, message: 'The session has expired. Log in again.' },
  invalid_credentials: { status: 401, message: 'Incorrect email address or password.' },
  invalid_reset_token: { status: 401, message: 'The reset token is invalid, has expired or was used.' },
  wrong_key_type: { status: 403, message: 'This type of key cannot be used here.' },
  wrong_project: { status: 403, message: 'The credential belongs to another project.' },
  super_admin_required: { status: 403, message: 'Super-admin access required.' },
  not_comment_author: { status: 403, message: 'Only the author of the comment may change it.' },
  not_view_owner: { status: 403, message: 'Only the creator of the view may change it.' },
  not_report_owner: { status: 403, message: 'Only the creator of the report may change it.' },
  permission_denied: { status: 403, message: 'Permission denied.' },
  api_key_permission_denied: { status: 403, message: 'The API key does not permit this action.' },
  privilege_escalation: { status: 403, message: 'You cannot grant permissions you do not have.' },
  environment_not_allowed: { status: 403, message: 'This environment is not open to the credential.' },
  ip_not_allowed: { status: 403, message: 'Requests from this address are not allowed.' },
  tenant_inactive: { status: 403, message: 'The tenant is deactivated.' },
  origin_not_allowed: { status: 403, message: 'Requests from this origin are not allowed.' },
  invalid_signature: { status: 403, message: 'The signature of the URL is missing, invalid or expired.' },
  invalid_preview_token: { status: 403, message: 'The preview token is invalid or has expired.' },
  not_found: { status: 404, message: 'Nothing found at this URL.' },
  route_not_found: { status: 404, message: 'No published page and no redirect matches this path.' },
  route_gone: { status: 410, message: 'The page at this path was removed.' },
  tenant_not_found: { status: 404, message: 'Tenant not found.' },
  project_not_found: { status: 404, message: 'Project not found.' },
  site_not_found: { status: 404, message: 'Site not found.' },
  environment_not_found: { status: 404, message: 'Environment not found.' },
  locale_not_found: { status: 404, message: 'Locale not found.' },
  content_type_not_found: { status: 404, message: 'Content type not found.' },
  custom_field_type_not_found: { status: 404, message: 'Custom field type not found.' },
  field_not_found: { status: 404, message: 'Field not found.' },
  entry_not_found: { status: 404, message: 'Entry not found.' },
  block_not_found: { status: 404, message: 'The entry has no block with this ID.' },
  version_not_found: { status: 404, message: 'Version not found.' },
  tree_node_not_found: { status: 404, message: 'Tree node not found.' },
  redirect_not_found: { status: 404, message: 'Redirect not found.' },
  promotion_not_found: { status: 404, message: 'Promotion not found.' },
  workflow_not_found: { status: 404, message: 'Workflow not found.' },
  comment_not_found: { status: 404, message: 'Comment not found.' },
  schema_apply_not_found: {
    status: 404,
    message: 'No such apply. Only the last apply of an environment can be undone, once.',
  },
  view_not_found: { status: 404, message: 'View not found.' },
  custom_report_not_found: { status: 404, message: 'Custom report not found.' },
  governance_issue_not_found: { status: 404, message: 'Governance issue not found.' },
  ip_rule_not_found: { status: 404, message: 'IP rule not found.' },
  api_key_not_found: { status: 404, message: 'API key not found.' },
  role_not_found: { status: 404, message: 'Role not found.' },
  grant_not_found: { status: 404, message: 'Grant not found.' },
  user_not_found: { status: 404, message: 'User not found.' },
  persisted_query_not_found: { status: 404, message: 'PersistedQueryNotFound' },
  webhook_not_found: { status: 404, message: 'Webhook not found.' },
  media_not_found: { status: 404, message: 'Asset not found.' },
  media_upload_not_found: { status: 404, message: 'Upload not found. It may have expired.' },
  delivery_not_found: { status: 404, message: 'Delivery not found.' },
  job_not_found: { status: 404, message: 'Job not found.' },
  media_folder_not_found: { status: 404, message: 'Media folder not found.' },
  method_not_allowed: { status: 405, message: 'Method not allowed.' },
  not_acceptable: { status: 406, message: 'Send Accept: text/event-stream to open the event stream.' },
  confirmation_required: {
    status: 409,
    message:
      'Confirmation required. Repeat the call with the confirmToken: header X-Confirm-Token, or argument of the tool.',
  },
  version_conflict: { status: 409, message: 'The entry has changed since the version you sent.' },
  external_id_conflict: { status: 409, message: 'Another entry of the content type has this external id.' },
  block_is_shared: { status: 409, message: 'The block is shared already.' },
  block_not_shared: { status: 409, message: 'Only links to shared blocks can be detached.' },
  slug_reserved: { status: 409, message: 'The slug is a locale prefix of its site. Choose another one.' },
  slug_conflict: { status: 409, message: 'The slug is already in use. Choose another one.' },
  api_name_conflict: {
    status: 409,
    message: 'The API name is already in use or conflicts with another name.',
  },
  content_type_in_use: { status: 409, message: 'The content type is in use.' },
  custom_field_type_in_use: { status: 409, message: 'The custom field type is used by fields.' },
  graphql_type_name_conflict: {
    status: 409,
    message: 'A GraphQL type with this name already exists or is generated from the content types.',
  },
  field_in_use: { status: 409, message: 'Entries have values for this field.' },
  entry_in_use: { status: 409, message: 'The entry is referenced by entries that prevent its removal.' },
  site_not_empty: { status: 409, message: 'The site still has entries.' },
  locale_in_use: { status: 409, message: 'The locale is in use.' },
  tree_cycle: { status: 409, message: 'A node cannot be moved below itself.' },
  node_has_children: { status: 409, message: 'The node has children. Set children to delete or lift.' },
  entry_in_tree: { status: 409, message: 'The entry is already in a tree. Move its node instead.' },
  source_missing: { status: 409, message: 'The source locale is not written, or not published.' },
  translation_missing: { status: 409, message: 'Nothing is written in this locale yet.' },
  comment_has_replies: {
    status: 409,
    message: 'Other users have replied to the comment. Only those who may manage the entry can delete it.',
  },
  redirect_conflict: { status: 409, message: 'The path already has a redirect.' },
  target_not_allowed: { status: 422, message: 'The site does not allow redirects to this host.' },
  redirect_loop: { status: 409, message: 'The redirect would create a loop or a chain that is too long.' },
  media_in_use: { status: 409, message: 'The asset is in use. Send force=true to delete it anyway.' },
  open_uploads_exceeded: {
    status: 409,
    message: 'Too many uploads are open. Complete or delete some, or wait until they end or expire.',
  },
  upload_offset_conflict: {
    status: 409,
    message: 'The upload does not continue at this offset. Ask for the current one.',
  },
  upload_incomplete: { status: 409, message: 'Bytes of the file are missing.' },
  upload_in_progress: { status: 409, message: 'The upload is being completed. Try again later.' },
  folder_conflict: { status: 409, message: 'A folder with this name already exists here.' },
  folder_cycle: { status: 409, message: 'A folder cannot be moved below itself.' },
  folder_not_empty: { status: 409, message: 'The folder has assets or folders.' },
  environment_is_default: { status: 409, message: 'The default environment cannot be deleted.' },
  environment_is_protected: { status: 409, message: 'The environment is protected.' },
  environment_not_ready: { status: 409, message: 'The environment is not ready.' },
  workflow_in_use: { status: 409, message: 'The workflow is in use.' },
  workflow_state_in_use: {
    status: 409,
    message: 'Entries are in a state that no longer exists for them. Move them to another state first.',
  },
  invalid_transition: { status: 409, message: 'The workflow has no such transition from the current state.' },
  workflow_not_approved: {
    status: 409,
    message: 'The workflow does not allow publishing in the current state.',
  },
  destructive_change: {
    status: 409,
    message: 'The change would delete definitions or values. The details list the steps.',
  },
  schema_changed: { status: 409, message: 'The schema has changed since the apply. The details list how.' },
  governance_issue_resolved: {
    status: 409,
    message: 'The cause of the issue has disappeared, so there is nothing to acknowledge.',
  },
  role_is_system: { status: 409, message: 'System roles cannot be changed.' },
  role_in_use: { status: 409, message: 'The role is assigned to users, or workflows name it.' },
  email_conflict: { status: 409, message: 'The email address is already in use.' },
  last_owner: { status: 409, message: 'The project must have at least one owner.' },
  ip_lockout: { status: 409, message: 'The change would block the address you are calling from.' },
  api_key_inactive: { status: 409, message: 'The key is revoked or expired.' },
  job_not_reschedulable: { status: 409, message: 'The job is running or has ended.' },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is in progress. Try again later.',
  },
  environment_conflict: {
    status: 409,
    message: 'Both environments changed the same values. Choose a conflictStrategy or resolve them first.',
  },
  promotion_incomplete: {
    status: 409,
    message: 'Items need others that the target lacks. Promote these too, or set includeDependencies.',
  },
  promotion_type_differs: {
    status: 409,
    message: 'A field of the content type differs in the target. Promote the content type first.',
  },
  promotion_failed: { status: 409, message: 'The promotion failed and changed nothing.' },
  promotion_rolled_back: { status: 409, message: 'The promotion was already rolled back.' },
  rollback_conflict: { status: 409, message: 'Items that the promotion changed have changed since.' },
  environments_unrelated: {
    status: 409,
    message:
      'The environments do not descend from the same one, so they have no common state to compare with.',
  },
  conflict: { status: 409, message: 'The change conflicts with a concurrent change. Try again.' },
  precondition_failed: { status: 412, message: 'The precondition failed.' },
  payload_too_large: { status: 413, message: 'The request body is too large.' },
  range_not_satisfiable: { status: 416, message: 'The range is outside the file.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  validation_failed: { status: 422, message: 'The input is invalid.' },
  unsupported_file_type: { status: 422, message: 'Files of this type are not accepted.' },
  file_damaged: { status: 422, message: 'The file is damaged or exceeds a limit of its type.' },
  file_too_complex: {
    status: 422,
    message: 'The file takes more work than one file may. Simplify it: `details` names the limit.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'The Idempotency-Key was already used for a different request.',
  },
  semantic_search_unavailable: {
    status: 422,
    message: 'This service has no embedding server, so that it does not search by meaning. Use mode=keyword.',
  },
  read_only: { status: 422, message: 'The body changes a key that cannot be changed here.' },
  no_update_fields: { status: 422, message: 'The body contains nothing to change.' },
  unknown_field: { status: 422, message: 'The content type does not have this field.' },
  type_not_localized: { status: 422, message: 'The entry has one document. Omit the locale.' },
  source_locale: { status: 422, message: 'The locale is the source of the translations.' },
  bulk_failed: { status: 422, message: 'Nothing was changed because at least one entry failed.' },
  tenant_required: { status: 422, message: 'Several accounts match. Name the tenant in tenantSlug.' },
  same_environment: { status: 422, message: 'Source and target are the same environment.' },
  schema_too_complex: { status: 422, message: 'A JSON Schema, or a check against it, takes too much work.' },
  entry_invalid: { status: 422, message: 'The entry is incomplete or invalid and cannot be published.' },
  reserved_api_name: { status: 422, message: 'This API name is reserved.' },
  reserved_slug: { status: 422, message: 'This slug is reserved.' },
  incompatible_type_change: {
    status: 422,
    message: 'Values cannot be converted to this field kind.',
  },
  import_url_refused: { status: 422, message: 'Files cannot be imported from this URL.' },
  import_failed: { status: 422, message: 'The file could not be fetched.' },
  webhook_url_refused: { status: 422, message: 'Webhooks cannot be sent to this URL.' },
  report_too_large: {
    status: 422,
    message: 'The report reads too much. Narrow its filters, its range or its groups.',
  },
  limit_reached: { status: 422, message: 'The maximum number of items has been reached.' },
  rate_limit_exceeded: { status: 429, message: 'Too many requests.' },
  internal_error: { status: 500, message: 'Internal error.' },
  not_configured: { status: 501, message: 'The operator has not configured this function.' },
  translation_failed: { status: 502, message: 'The translation engine gave no usable translation.' },
  translation_unavailable: {
    status: 503,
    message: 'The translation engine is unavailable. Try again later.',
  },
  translation_timeout: { status: 504, message: 'The translation engine took too long. Try again later.' },
  service_unavailable: { status: 503, message: 'The service is temporarily unavailable. Try again later.' },
  embedding_unavailable: {
    status: 503,
    message: 'Search by meaning is unavailable. Use mode=keyword, or try again later.',
  },
  search_unavailable: { status: 503, message: 'The search index is unavailable. Try again later.' },
  storage_unavailable: { status: 503, message: 'The storage of files is unavailable. Try again later.' },
  storage_full: { status: 507, message: 'The storage of files is full.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** An item of `details.issues`. */
export interface InputIssue {
  /** Path from the root of the input: `["fields", "title"]`. */
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

/** The only error that use cases throw. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    readonly details?: unknown,
    message: string = errorTable[code].message,
  ) {
    super(message);
    this.status = errorTable[code].status;
  }
}

/** Body of a failure (specification section 7). */
export function failureBody(error: AppError): { error: ErrorCode; message: string; details?: unknown } {
  const { code, message, details } = error;
  return details === undefined ? { error: code, message } : { error: code, message, details };
}

/** 422 `validation_failed` with its issues, or `schema_too_complex` if one has this code. */
export function invalidInput(...issues: InputIssue[]): AppError {
  const isTooComplex = issues.some(({ code }) => code === 'schema_too_complex');
  return new AppError(isTooComplex ? 'schema_too_complex' : 'validation_failed', { issues });
}

/** One issue per mismatch, and one per unknown key. */
export function issuesOf(error: z.core.$ZodError): InputIssue[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    if (issue.code !== 'unrecognized_keys') return [{ path, code: issue.code, message: issue.message }];
    return issue.keys.map((key) => ({
      path: [...path, key],
      code: 'unrecognized_key',
      message: `Unknown key: ${key}`,
    }));
  });
}
