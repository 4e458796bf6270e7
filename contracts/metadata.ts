import type { ErrorCode } from './errors.js';
import type { Action, ProjectResource } from './rights.js';

/** `any`: the use case checks the action of each item. */
type GateAction = Action | 'any';

/** Grants name resources of projects; the others are for super-admins or open. */
export type Resource = ProjectResource | 'tenants' | 'projects' | 'sessions';
/** Who an operation serves; `session`: operations that start a session and need no credential. */
export type Audience = 'delivery' | 'management' | 'platform' | 'session';

/** How REST serves an operation; the OpenAPI generator reads the same keys. */
export interface RestMeta {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Each `{parameter}` is the name of an input key. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly tags: string[];
  /** 201 with `Location`, whose parameters are taken from the input and from `data`. */
  readonly success?: {
    readonly status: 201;
    readonly location: `/${string}`;
    /** 200 where `meta.duplicate` says that the item already existed. */
    readonly existing?: true;
  };
  /** `data` is either the result or a job; a `jobId` in it means status 202. */
  readonly mayDefer?: true;
  /** `ETag` carries `data.version`; `If-Match` replaces the input's `version` and fails with 412. */
  readonly versioned?: true;
  /** Public names of path parameters that differ from their input keys. */
  readonly pathAliases?: Readonly<Record<string, string>>;
  readonly protect?: boolean;
  /** A text body that is accepted beside the JSON body. */
  readonly textBody?: TextBody;
  /** A key of `data` that is sent as a file. */
  readonly textAnswer?: TextAnswer;
  /** The response is streamed in this media type, or as JSON where the query asks for it. */
  readonly streaming?: { readonly mediaType: string; readonly example: string };
}

/** With a text body, the other keys of the input are query parameters. */
export interface TextBody {
  readonly mediaType: string;
  /** Input key of the text. */
  readonly key: string;
  /** Part of a `multipart/form-data` body that may carry the text instead. */
  readonly part: string;
  readonly maximumBytes: number;
}

export interface TextAnswer {
  readonly mediaType: string;
  /** Keys of `data` with the text and the file name. */
  readonly key: string;
  readonly fileName: string;
}

/** The MCP tool of an operation. */
export interface ToolMeta {
  readonly tool: string;
  readonly title: string;
  readonly description: string;
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  /** A key may demand a second call with a token: the effect is public or cannot be undone. */
  readonly needsConfirmation?: boolean;
}

type SecretKind =
  | 'API key'
  | 'session token'
  | 'refresh token'
  | 'password'
  | 'webhook secret'
  | 'secret header of a webhook'
  | 'preview token';

/** Paths of secrets in JSON, `[]` for each item of a list. */
type SecretPaths = Readonly<Record<string, SecretKind>>;

/** How a read contributes to the document of an MCP resource. */
export interface McpResourceMeta {
  readonly uri: `service://${string}`;
  /** Key of the document that holds the items. */
  readonly key: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** Read once per site; the key then maps site slugs to items. */
  readonly perSite?: true;
}

/** The root field of an operation in the GraphQL schema of a project. Its arguments are the keys of the input. */
export interface RootFieldMeta {
  /** `{contentTypeApiName}` makes one field per content type, which gives that key of the input. */
  readonly field: string;
  readonly description: string;
  /** Cost of the field itself (decisions 2.25). */
  readonly complexity: number;
  /** Names of arguments that differ from their input keys. */
  readonly argumentAliases?: Readonly<Record<string, string>>;
  /** Input keys that are accepted without effect, with the code of the warning (specification 4.2 rule 2). */
  readonly ignored?: Readonly<Record<string, string>>;
}

/** Everything that the gate, the surfaces and the generated documents know about an operation. */
export interface OperationMeta {
  readonly audience: Audience;
  readonly resource: Resource;
  readonly action: GateAction;
  readonly openapi?: RestMeta;
  readonly mcp?: ToolMeta;
  readonly mcpResources?: readonly McpResourceMeta[];
  /** Every read leaves its cache tags, so that the response may be cached. */
  readonly cacheable?: true;
  /** Where the input and the successful response hold secrets; nothing else may show them. */
  readonly secrets?: { readonly input?: SecretPaths; readonly output?: SecretPaths };
  readonly graphql?: RootFieldMeta;
  /** Failures beyond those shared by every operation of the audience. */
  readonly errors?: readonly ErrorCode[];
}
