import type { EventName } from './change-names.js';
import type { ErrorCode } from './error-codes.js';
import type { Action, ProjectResource, Toolset } from './rights.js';

/** `any`: the use case checks the action of each item. */
type GateAction = Action | 'any';

/** Grants apply to resources of projects; the others are for super-admins or need no permission. */
export type Resource = ProjectResource | 'tenants' | 'projects' | 'sessions';
/** Who an operation serves. `session` operations need no credential; `account` ones need any session token. */
export const audiences = ['delivery', 'management', 'platform', 'session', 'account'] as const;
export type Audience = (typeof audiences)[number];

/** Keys are also read by the OpenAPI generator. */
export interface RestMeta {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Each `{parameter}` is the name of an input key. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly tags: string[];
  /** Returns 201 with `Location`; its parameters come from the input and from `data`. */
  readonly success?: {
    readonly status: 201;
    readonly location: `/${string}`;
    /** Returns 200 if `meta.duplicate` or `meta.replaced` is set: the item already existed. */
    readonly existing?: true;
  };
  /** `data` is the result or a job. With a `jobId` the status is 202. */
  readonly mayDefer?: true;
  /** `data` is always a job: the status is 202. */
  readonly startsJob?: true;
  /** `ETag` is `data.version`; `If-Match` sets the input's `version` and fails with 412. */
  readonly versioned?: true;
  /** Public names of path parameters that differ from their input keys. */
  readonly pathAliases?: Readonly<Record<string, string>>;
  readonly protect?: boolean;
  /** Keywords of JSON Schema for conditions between keys of the body, which the use case checks. */
  readonly bodyRule?: Readonly<Record<string, unknown>>;
  /** Text body that is accepted instead of JSON. */
  readonly textBody?: TextBody;
  /** Part of a `multipart/form-data` body that is streamed; the parts before it are the other keys of the input. */
  readonly upload?: {
    readonly part: string;
    readonly maximumBytes: number;
    /** Keys that may be query parameters as well. */
    readonly query?: readonly string[];
  };
  /** `data` is a tus 1.0 upload. The body of PATCH can be its bytes, which are the input `content`. */
  readonly tus?: true;
  /** A key of `data` that is returned as a file. */
  readonly textResponse?: TextResponse;
  /** Query parameter with a signed token that replaces the `Authorization` header. */
  readonly urlToken?: string;
  /** The use case receives the names of unknown query parameters, of which it may refuse some (rule lists/filters). */
  readonly passesUnknownParameters?: true;
  /** The response is streamed in this media type, or as JSON if the query requests it. */
  readonly streaming?: { readonly mediaType: string; readonly example: string };
}

/** The other keys of the input are query parameters. */
export interface TextBody {
  readonly mediaType: string;
  /** Accepted as well. */
  readonly otherMediaTypes?: readonly string[];
  /** Input key of the text. */
  readonly key: string;
  /** Alternative: part of a `multipart/form-data` body. */
  readonly part: string;
  readonly maximumBytes: number;
}

export interface TextResponse {
  readonly mediaType: string;
  /** Keys of `data` with the text and the file name. */
  readonly key: string;
  readonly fileName: string;
  /** Clients keep it and ask whether it has changed: `ETag` and 304 instead of `no-store`. */
  readonly isRevalidated?: true;
  /** The response is JSON if `data` does not have the text. */
  readonly isOptional?: true;
  /** Key of `data` with what the text says, if a reader of the text finds an object in it. */
  readonly parsedKey?: string;
  /** Keys of `data` with other optional texts. */
  readonly others?: readonly Pick<TextResponse, 'mediaType' | 'key'>[];
}

/** The MCP tool of an operation. */
export interface ToolMeta {
  readonly tool: string;
  readonly title: string;
  readonly description: string;
  readonly toolset: Toolset;
  /** Offered to connections that choose no toolset. */
  readonly isDefault?: true;
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  /** Reaches systems other than the service. */
  readonly openWorld?: true;
  /** Returns every item of a paginated list, up to `limits.toolListMaximum`, and takes no page. */
  readonly listsAll?: true;
  /** Keys of the items that `listsAll` returns, in their order; all if absent. */
  readonly itemKeys?: readonly string[];
  /** Descriptions of lists of objects by input key, whose items other tools describe. Their schemas are left out. */
  readonly listsOf?: Readonly<Record<string, string>>;
  /** Descriptions of objects by input key, which the description of the tool explains. Their schemas are left out. */
  readonly optionsOf?: Readonly<Record<string, string>>;
  /** The tool whose result has the same keys, which are then not repeated. */
  readonly sameResultAs?: string;
  /** Input keys that the tool takes, instead of all but those of other clients. */
  readonly takes?: readonly string[];
  /** Optional input keys that the tool requires. */
  readonly requires?: readonly string[];
  /** Names of arguments that differ from their input keys. */
  readonly argumentAliases?: Readonly<Record<string, string>>;
  /** Values of input keys that the tool does not take. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Arguments by which a read finds the value of an input key; required unless the tool takes that key as well. */
  readonly finds?: Readonly<Record<string, ToolLookup>>;
}

/** The input key that an argument stands for, and the read that finds its value. */
export interface ToolLookup {
  readonly key: string;
  readonly description: string;
  /** Name of the read, such as `sites.get`, its input key, and the key of its `data`. */
  readonly read: string;
  readonly by: string;
  readonly value: string;
  /** The failure if that key is null. */
  readonly missing?: { readonly error: ErrorCode; readonly message: string };
}

/**
 * Calls that keys confirm if they or the environment require it: all; those that change the path of something published;
 * those with one of the values in a key of the input, or of an item of the list `each`; or those that change one of the
 * keys `given`, where `values` are the new values that matter.
 */
export type ConfirmationRule =
  | 'always'
  | 'publicPaths'
  | { readonly key: string; readonly values: readonly string[] }
  | { readonly given: readonly string[]; readonly values?: readonly unknown[] }
  | { readonly each: string; readonly keys: Readonly<Record<string, readonly unknown[]>> };

export type ConfirmationMeta = ConfirmationRule | readonly ConfirmationRule[];

type SecretKind =
  | 'API key'
  | 'session token'
  | 'refresh token'
  | 'reset token'
  | 'password'
  | 'login challenge'
  | 'passkey token'
  | 'second factor secret'
  | 'second factor code'
  | 'recovery code'
  | 'webhook secret'
  | 'secret header of a webhook'
  | 'preview token'
  | 'client secret'
  | 'sign-on token'
  | 'feed token'
  | 'authorization code';

/** JSON paths of secrets; `[]` is each item of a list. */
type SecretPaths = Readonly<Record<string, SecretKind>>;

/** A read whose result is part of an MCP resource. */
export interface McpResourceMeta {
  /** With a `{name}` it is a template: the name is that of an input key. */
  readonly uri: `service://${string}`;
  /** Key of the resource document for the items. */
  readonly key: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** Read once per site; the key then maps site slugs to items. */
  readonly perSite?: true;
}

/** Root field of an operation in the GraphQL schema of a project. Its arguments are the keys of the input. */
export interface RootFieldMeta {
  /** `{contentTypeApiName}` creates one field per content type and sets that key of the input. */
  readonly field: string;
  readonly description: string;
  /** Cost of the field itself (rule graphql/costs). */
  readonly complexity: number;
  /** Names of arguments that differ from their input keys. */
  readonly argumentAliases?: Readonly<Record<string, string>>;
  /** Input keys that are accepted without effect, with the code of the warning (rule graphql/endpoint). */
  readonly ignored?: Readonly<Record<string, string>>;
}

export interface OperationMeta {
  readonly audience: Audience;
  readonly resource: Resource;
  readonly action: GateAction;
  readonly openapi?: RestMeta;
  readonly mcp?: ToolMeta;
  readonly mcpResources?: readonly McpResourceMeta[];
  /** The use case records cache tags, so the response can be cached. */
  readonly cacheable?: true;
  /** Set if the effect is public or a deletion (rule access/confirmation). */
  readonly confirmation?: ConfirmationMeta;
  /** Input key with the slug of the environment that is changed, by default the default one. Absent: that of the call. */
  readonly confirmsTarget?: string;
  /** What it emits, and jobs that it schedules. Webhooks can name the events of all operations (rule http/input). */
  readonly events?: readonly EventName[];
  /** Secrets of the input and of the successful response. They must not appear anywhere else. */
  readonly secrets?: { readonly input?: SecretPaths; readonly output?: SecretPaths };
  readonly graphql?: RootFieldMeta;
  /** A POST that only reads, or that changes no more than what the caller has seen. It leaves no record. */
  readonly changesNothing?: true;
  /** Describes the caller: any grant in the project permits the call. */
  readonly aboutCaller?: true;
  /** API keys are refused, whatever their permissions. */
  readonly sessionOnly?: true;
  /** Users without the second factor that their tenant requires may call it. */
  readonly beforeSecondFactor?: true;
  /** Only owners of the project and super-admins are admitted: no keys, and no other members, whatever their grants. */
  readonly ownersOnly?: true;
  /** In addition to the errors shared by all operations of the audience. */
  readonly errors?: readonly ErrorCode[];
}
