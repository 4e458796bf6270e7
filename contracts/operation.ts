import { initTRPC, TRPCError, type TRPC_ERROR_CODE_KEY, type TRPCProcedureBuilder } from '@trpc/server';
import { z } from 'zod';
import { AppError, errorTable, type ErrorCode, type InputIssue } from './errors.js';
import { inPath } from './primitives.js';
import type { Action, ProjectResource } from './rights.js';

export type { Action, ProjectResource } from './rights.js';

/** What the gate checks: one action, or `any` where the use case checks the action of each item. */
type GateAction = Action | 'any';

/** What an operation is about: grants name those of projects, the others are for super-admins or open. */
export type Resource = ProjectResource | 'tenants' | 'projects' | 'sessions';
/** The audiences of the glossary, and `session` for the operations that start one. */
export type Audience = 'delivery' | 'management' | 'platform' | 'session';

/** How REST serves an operation; the keys are those that the OpenAPI generator reads. */
export interface RestMeta {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The whole path with `{parameters}`, each the name of an input key. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly tags: string[];
  /** 201 sends `Location`: the path of the new item with its keys taken from input and `data`. */
  readonly success?: {
    readonly status: 201;
    readonly location: `/${string}`;
    /** 200 where the answer's `meta.duplicate` says that it was there already. */
    readonly existing?: true;
  };
  /** `data` has two forms, and the one that carries a `jobId` is answered with 202. */
  readonly accepted?: true;
  /** `ETag` tells `data.version`, and `If-Match` stands for the input's `version`: 412 where it is not the current one. */
  readonly versioned?: true;
  /** Names that path parameters bear outside, where the input key differs. */
  readonly published?: Readonly<Record<string, string>>;
  readonly protect?: boolean;
  /** A body that is one text, beside the JSON body that every operation takes. */
  readonly textBody?: TextBody;
  /** An answer that is one text of `data`, sent as a file. */
  readonly textAnswer?: TextAnswer;
  /** An answer that is sent while it is read, in this media type or, where the query says so, as JSON. */
  readonly streamed?: { readonly mediaType: string; readonly example: string };
}

/** A body of a media type of its own; the other keys of the input then stand in the query. */
export interface TextBody {
  readonly mediaType: string;
  /** Key of the input that takes the text. */
  readonly key: string;
  /** The part of a `multipart/form-data` body that may carry it instead. */
  readonly part: string;
  readonly maximumBytes: number;
}

/** An answer in a media type of its own. */
export interface TextAnswer {
  readonly mediaType: string;
  /** Keys of `data` that hold the text and the name of the file. */
  readonly key: string;
  readonly fileName: string;
}

/** How agents see an operation: the tool's name and its hints. */
export interface ToolMeta {
  readonly tool: string;
  readonly title: string;
  readonly description: string;
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  /** Asked to be called twice where the key demands it: what it does is seen by the public or cannot be undone. */
  readonly confirmed?: boolean;
}

/** Metadata of a contract: everything that gate, surfaces and documents need to know of it. */
export interface OperationMeta {
  readonly audience: Audience;
  readonly resource: Resource;
  readonly action: GateAction;
  readonly openapi?: RestMeta;
  readonly mcp?: ToolMeta;
  /** Failures of its own, beside those that every operation of its audience shares. */
  readonly errors?: readonly ErrorCode[];
}

/** What the gate found out about a call it let through. The procedures' layer knows its full type. */
export interface Admission {
  readonly principalId: string | null;
}

/** What every surface hands to a procedure. */
export interface OperationContext {
  /**
   * Decides whether the call may go on: credential, key, type, project, tenant, action.
   * Runs before the input is parsed, so that a missing credential answers before malformed input.
   * @throws AppError with the code of decisions 2.2
   */
  admit(operation: OperationMeta, rawInput: unknown): Promise<Admission>;
}

const trpcCodes: Readonly<Record<number, TRPC_ERROR_CODE_KEY>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

/** The mismatches that a schema found, one per unknown key. */
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

/** Any failure as the one error class; what nobody foresaw becomes `internal_error`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof TRPCError) {
    if (error.cause instanceof AppError) return error.cause;
    if (error.cause instanceof z.core.$ZodError && error.code !== 'INTERNAL_SERVER_ERROR') {
      return new AppError('validation_failed', { issues: issuesOf(error.cause) });
    }
    if (error.code === 'NOT_FOUND') return new AppError('not_found');
    if (error.code === 'PARSE_ERROR') return new AppError('invalid_json');
    if (error.code === 'PAYLOAD_TOO_LARGE') return new AppError('payload_too_large');
    if (error.code === 'UNSUPPORTED_MEDIA_TYPE') return new AppError('unsupported_media_type');
    if (error.code === 'METHOD_NOT_SUPPORTED') return new AppError('method_not_allowed');
    if (error.code === 'BAD_REQUEST') return new AppError('invalid_request');
  }
  return new AppError('internal_error');
}

/** The tRPC error that carries a failure with its true HTTP status. */
function toTrpcError(error: AppError, cause: unknown): TRPCError {
  const code = trpcCodes[error.status] ?? 'INTERNAL_SERVER_ERROR';
  return new TRPCError({
    code,
    message: error.message,
    cause: error.code === 'internal_error' ? cause : error,
  });
}

const t = initTRPC
  .context<OperationContext>()
  .meta<OperationMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error }) => {
      const { code, message, details } = toAppError(error);
      return {
        ...shape,
        message,
        data: { code: shape.data.code, httpStatus: errorTable[code].status, error: code, details },
      };
    },
  });

/** Groups procedures; the procedures' layer builds the application router with it. */
export const { router } = t;

const failures = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  throw toTrpcError(toAppError(result.error), result.error.cause ?? result.error);
});

const admission = t.middleware(async ({ ctx, meta, next, getRawInput }) => {
  if (meta === undefined) throw new Error('a contract without metadata');
  return next({ ctx: { admission: await ctx.admit(meta, await getRawInput()) } });
});

const base = t.procedure.use(failures).use(admission);
/** Metadata of an operation without its audience, which the base procedure gives. */
type OwnMeta = Omit<OperationMeta, 'audience'>;

/** Base of delivery contracts: published content for sites and apps. */
export const delivery = (meta: OwnMeta) => base.meta({ audience: 'delivery', ...meta });
/** Base of management contracts: content and configuration of one project. */
export const management = (meta: OwnMeta) => base.meta({ audience: 'management', ...meta });
/** Base of platform contracts: tenants and projects, super-admins only. */
export const platform = (meta: OwnMeta) => base.meta({ audience: 'platform', ...meta });
/** Base of the contracts that start a session: no credential needed. */
export const session = (meta: OwnMeta) => base.meta({ audience: 'session', ...meta });

type RouteText = Omit<RestMeta, 'method' | 'path'>;

/** REST route below `/api/v1/projects/{projectSlug}`. */
export const managementRoute = (
  method: RestMeta['method'],
  suffix: `/${string}`,
  text: RouteText,
): RestMeta => ({
  method,
  path: `/api/v1/projects/{projectSlug}${suffix}`,
  protect: true,
  ...text,
  ...(text.success && {
    success: { ...text.success, location: `/api/v1/projects/{projectSlug}${text.success.location}` },
  }),
});

/** REST route below `/api/delivery/projects/{slug}/sites/{siteSlug}`; a credential is optional there. */
export const deliveryRoute = (suffix: `/${string}`, text: RouteText): RestMeta => ({
  method: 'GET',
  path: `/api/delivery/projects/{projectSlug}/sites/{siteSlug}${suffix}`,
  published: { projectSlug: 'slug' },
  protect: false,
  ...text,
});

/** REST route below `/api/v1/platform`. */
export const platformRoute = (
  method: RestMeta['method'],
  suffix: `/${string}`,
  text: RouteText,
): RestMeta => ({
  method,
  path: `/api/v1/platform${suffix}`,
  protect: true,
  ...text,
  ...(text.success && {
    success: { ...text.success, location: `/api/v1/platform${text.success.location}` },
  }),
});

const ProjectSlug = inPath('Slug of the project.', 'demo');

/** Strict input of an operation inside one project. */
export const inProject = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject({ projectSlug: ProjectSlug, ...shape });

/** Strict input of a delivery operation: project and site come from the path. */
export const inSite = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject({ projectSlug: ProjectSlug, siteSlug: inPath('Slug of the site.', 'main'), ...shape });

/** The parsed input of a contract: what its use case receives. */
export type InputOf<C> =
  C extends TRPCProcedureBuilder<
    infer _Context,
    infer _Meta,
    infer _Overrides,
    infer _In,
    infer Out,
    infer _OutputIn,
    infer _OutputOut,
    infer _Caller extends boolean
  >
    ? Out
    : never;
