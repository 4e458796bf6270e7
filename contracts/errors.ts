import type { z } from 'zod';

/**
 * The one table of failures: code, HTTP status, default message. REST envelopes, GraphQL
 * `extensions.code`, tRPC error data and agent tool replies all read it.
 */
export const errorTable = {
  invalid_json: { status: 400, message: 'The request body is not valid JSON.' },
  invalid_request: { status: 400, message: 'The request is malformed.' },
  graphql_parse_failed: { status: 400, message: 'The GraphQL document does not parse.' },
  graphql_validation_failed: { status: 400, message: 'The GraphQL document does not fit the schema.' },
  graphql_request_invalid: { status: 400, message: 'The GraphQL request body has the wrong shape.' },
  query_depth_exceeded: { status: 400, message: 'The query is nested too deeply.' },
  query_complexity_exceeded: { status: 400, message: 'The query is too complex.' },
  introspection_disabled: { status: 400, message: 'Introspection is not available to delivery keys.' },
  preview_not_allowed: { status: 400, message: 'A delivery key cannot read drafts.' },
  unauthorized: { status: 401, message: 'A credential is required: send Authorization: Bearer <key>.' },
  invalid_api_key: { status: 401, message: 'The API key is not valid.' },
  api_key_revoked: { status: 401, message: 'The API key has been revoked.' },
  api_key_expired: { status: 401, message: 'The API key has expired.' },
  invalid_session: { status: 401, message: 'The session token is not valid.' },
  session_expired: { status: 401, message: 'The session has expired: log in again.' },
  invalid_credentials: { status: 401, message: 'E-mail address or password is wrong.' },
  wrong_key_type: { status: 403, message: 'This type of key is not accepted here.' },
  wrong_project: { status: 403, message: 'The credential belongs to another project.' },
  super_admin_required: { status: 403, message: 'Only super-admins may do this.' },
  permission_denied: { status: 403, message: 'The credential does not permit this.' },
  api_key_permission_denied: { status: 403, message: 'The API key does not permit this action.' },
  privilege_escalation: { status: 403, message: 'Nobody hands on a right that they lack.' },
  environment_not_allowed: { status: 403, message: 'The key is bound to another environment.' },
  ip_not_allowed: { status: 403, message: 'Calls from this address are not accepted.' },
  tenant_inactive: { status: 403, message: 'The tenant is deactivated.' },
  origin_not_allowed: { status: 403, message: 'Requests from this origin are not accepted.' },
  invalid_preview_token: { status: 403, message: 'The preview token is not valid here or has expired.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  route_not_found: { status: 404, message: 'No published page and no redirect matches this path.' },
  tenant_not_found: { status: 404, message: 'There is no such tenant.' },
  project_not_found: { status: 404, message: 'There is no such project.' },
  site_not_found: { status: 404, message: 'There is no such site.' },
  environment_not_found: { status: 404, message: 'There is no such environment.' },
  locale_not_found: { status: 404, message: 'There is no such locale.' },
  content_type_not_found: { status: 404, message: 'There is no such content type.' },
  custom_field_type_not_found: { status: 404, message: 'There is no such custom field type.' },
  field_not_found: { status: 404, message: 'There is no such field.' },
  entry_not_found: { status: 404, message: 'There is no such entry.' },
  version_not_found: { status: 404, message: 'The entry has no such version.' },
  tree_node_not_found: { status: 404, message: 'There is no such tree node.' },
  redirect_not_found: { status: 404, message: 'There is no such redirect.' },
  ip_rule_not_found: { status: 404, message: 'There is no such rule.' },
  api_key_not_found: { status: 404, message: 'There is no such API key.' },
  role_not_found: { status: 404, message: 'There is no such role.' },
  grant_not_found: { status: 404, message: 'The role has no such grant.' },
  user_not_found: { status: 404, message: 'There is no such user.' },
  persisted_query_not_found: { status: 404, message: 'PersistedQueryNotFound' },
  webhook_not_found: { status: 404, message: 'There is no such webhook.' },
  delivery_not_found: { status: 404, message: 'The webhook has no such delivery.' },
  method_not_allowed: { status: 405, message: 'This method is not supported here.' },
  not_acceptable: { status: 406, message: 'Send Accept: text/event-stream to open the event stream.' },
  confirmation_required: { status: 409, message: 'Call again with the confirmToken to do this.' },
  version_conflict: { status: 409, message: 'The entry has changed since the version you sent.' },
  slug_conflict: { status: 409, message: 'The slug is taken.' },
  api_name_conflict: { status: 409, message: 'The API name is taken or collides with another one.' },
  content_type_in_use: { status: 409, message: 'The content type is in use.' },
  custom_field_type_in_use: { status: 409, message: 'Fields are of this custom field type.' },
  graphql_type_name_conflict: {
    status: 409,
    message: 'A GraphQL type of this name exists already or follows from the content model.',
  },
  field_in_use: { status: 409, message: 'Entries hold values of this field.' },
  entry_in_use: { status: 409, message: 'Other entries refer to this one and forbid its removal.' },
  site_not_empty: { status: 409, message: 'The site still has entries.' },
  locale_in_use: { status: 409, message: 'The locale is in use.' },
  tree_cycle: { status: 409, message: 'A node cannot be moved below itself.' },
  node_has_children: { status: 409, message: 'The node has children: say what becomes of them.' },
  entry_in_tree: { status: 409, message: 'The entry stands in a tree already: move its node.' },
  redirect_conflict: { status: 409, message: 'The path has a redirect already.' },
  redirect_loop: { status: 409, message: 'The redirect would lead in a circle, or on for too many steps.' },
  role_is_system: { status: 409, message: 'System roles stay as they are.' },
  role_in_use: { status: 409, message: 'Users have this role.' },
  email_conflict: { status: 409, message: 'The e-mail address is taken.' },
  last_owner: { status: 409, message: 'The project would be left without an owner.' },
  ip_lockout: { status: 409, message: 'The change would shut out the address that you call from.' },
  api_key_inactive: { status: 409, message: 'The key is revoked or expired.' },
  idempotency_in_progress: { status: 409, message: 'The same request is being answered: try again shortly.' },
  conflict: { status: 409, message: 'The change collides with another one made at the same time.' },
  precondition_failed: { status: 412, message: 'The precondition does not hold.' },
  payload_too_large: { status: 413, message: 'The request body is too large.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  validation_failed: { status: 422, message: 'The input does not match the expected shape.' },
  idempotency_key_reused: { status: 422, message: 'The Idempotency-Key was sent with another request.' },
  no_update_fields: { status: 422, message: 'The body holds nothing to change.' },
  unknown_field: { status: 422, message: 'The content type has no such field.' },
  bulk_failed: { status: 422, message: 'Nothing was applied, because not every entry could be changed.' },
  entry_invalid: { status: 422, message: 'The entry cannot be published as it is.' },
  reserved_api_name: { status: 422, message: 'This API name is reserved.' },
  reserved_slug: { status: 422, message: 'This slug is reserved.' },
  incompatible_type_change: {
    status: 422,
    message: 'Values cannot follow a field from its kind to that one.',
  },
  webhook_url_refused: { status: 422, message: 'Webhooks cannot be sent to this address.' },
  limit_reached: { status: 422, message: 'The limit on the number of these is reached.' },
  rate_limit_exceeded: { status: 429, message: 'Too many requests.' },
  internal_error: { status: 500, message: 'Something went wrong on our side.' },
  service_unavailable: { status: 503, message: 'The service cannot answer right now: try again shortly.' },
} as const satisfies Record<string, { status: number; message: string }>;

/** A code of the failure envelope. */
export type ErrorCode = keyof typeof errorTable;

/** One mismatch between input and contract, as listed in `details.issues`. */
export interface InputIssue {
  /** Where, from the root of the input: `["fields", "title"]`. */
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

/** The only error that use cases throw. Its status and default message come from {@link errorTable}. */
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

/** The body of every failure (specification section 7): `{ error, message, details? }`. */
export function failureBody(error: AppError): { error: ErrorCode; message: string; details?: unknown } {
  const { code, message, details } = error;
  return details === undefined ? { error: code, message } : { error: code, message, details };
}

/** A refusal of input: 422 `validation_failed` with its issues. */
export function invalidInput(...issues: InputIssue[]): AppError {
  return new AppError('validation_failed', { issues });
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
