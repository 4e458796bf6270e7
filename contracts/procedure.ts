import { initTRPC, TRPCError, type TRPC_ERROR_CODE_KEY, type TRPCProcedureBuilder } from '@trpc/server';
import { z } from 'zod';
import { AppError, issuesOf } from './errors.js';
import { errorTable } from './error-codes.js';
import type { OperationMeta } from './metadata.js';

/** Result of the gate. Its full type is `OperationScope` in src/procedures. */
export interface Admission {
  readonly principalId: string | null;
  /** Reports the outcome of a call that the router ran; `failure` is undefined if it succeeded. */
  settle?(operation: OperationMeta, failure: unknown): void;
}

export interface OperationContext {
  /**
   * Admits the call. Runs before the input is parsed, so that a missing credential is reported before malformed input.
   * @throws AppError with the codes of rule access/failures
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
  416: 'BAD_REQUEST',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  501: 'NOT_IMPLEMENTED',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
  504: 'GATEWAY_TIMEOUT',
  507: 'SERVICE_UNAVAILABLE',
};

/** Unexpected errors become `internal_error`. */
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
    // The admin app reads shapes and metadata in browsers.
    allowOutsideOfServer: true,
    errorFormatter: ({ shape, error }) => {
      const { code, message, details } = toAppError(error);
      return {
        ...shape,
        message,
        data: { code: shape.data.code, httpStatus: errorTable[code].status, error: code, details },
      };
    },
  });

export const { router } = t;

const failures = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  throw toTrpcError(toAppError(result.error), result.error.cause ?? result.error);
});

const admission = t.middleware(async ({ ctx, meta, next, getRawInput }) => {
  if (meta === undefined) throw new Error('The contract has no metadata');
  const admitted = await ctx.admit(meta, await getRawInput());
  const result = await next({ ctx: { admission: admitted } });
  admitted.settle?.(meta, result.ok ? undefined : (result.error.cause ?? result.error));
  return result;
});

const base = t.procedure.use(failures).use(admission);
type OwnMeta = Omit<OperationMeta, 'audience'>;

/** Published content for sites and apps. */
export const delivery = (meta: OwnMeta) => base.meta({ audience: 'delivery', ...meta });
/** Content and configuration of one project. */
export const management = (meta: OwnMeta) => base.meta({ audience: 'management', ...meta });
/** Tenants and projects, for super-admins. */
export const platform = (meta: OwnMeta) => base.meta({ audience: 'platform', ...meta });
/** Operations that start a session; they need no credential. */
export const session = (meta: OwnMeta) => base.meta({ audience: 'session', ...meta });
/** Operations of users on their own account. */
export const account = (meta: OwnMeta) => base.meta({ audience: 'account', ...meta });

/** The parsed input of a contract, which its use case receives. */
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
