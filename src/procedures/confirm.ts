import type { z } from 'zod';
import { AppError } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import type { ConfirmationMeta, OperationMeta } from '../../contracts/metadata.js';
import type { Admission } from '../../contracts/procedure.js';
import type { ConfirmedCall } from '../access/confirm-token.js';
import { Rehearsal } from '../persistence/work/unit-of-work.js';
import type { OperationScope } from './call.js';
import { rehearsedReply, type RehearsedReply } from './rehearsed-reply.js';

type Input = Readonly<Record<string, unknown>>;

export type ConfirmableResolver = (call: {
  readonly ctx: { readonly admission: Admission };
  readonly input: Input;
}) => Promise<unknown>;

export interface ConfirmableContract {
  readonly _def: {
    readonly meta?: OperationMeta;
    readonly inputs: readonly z.ZodObject[];
    readonly output?: z.ZodType;
  };
}

const isCovered = (confirmation: ConfirmationMeta, input: Input): boolean =>
  confirmation === 'always' || confirmation.values.includes(String(input[confirmation.key]));

/** The call to confirm; undefined if the caller need not confirm. */
function confirmedCall({ principal, catalog }: OperationScope, operation: string, input: Input) {
  if (principal.kind !== 'api_key' || !principal.requireConfirmation || catalog === null) return undefined;
  return { keyId: principal.id, projectId: catalog.data.project.id, operation, input };
}

/** The same call in a unit of work that is rolled back. Other calls of a tRPC batch share the scope's mode. */
function rehearsalOf(scope: OperationScope, rehearsal: Rehearsal): OperationScope {
  const { principalId, call, principal, catalog, work, trace, services } = scope;
  return { principalId, call, principal, catalog, work, trace, services, mode: { rehearsal } };
}

/** Version of the named entry before the call. */
function versionBefore({ changes }: RehearsedReply, { id }: Input): number | undefined {
  const version = changes.find(({ target }) => target.id === id)?.before?.version;
  return typeof version === 'number' ? version : undefined;
}

async function confirmationRequired(
  { services, call }: OperationScope,
  confirmed: ConfirmedCall,
  preview: RehearsedReply,
): Promise<AppError> {
  const expiresAt = new Date(services.clock().getTime() + limits.confirmSeconds * 1000);
  const version = versionBefore(preview, confirmed.input);
  const confirmToken = await services.confirmTokens.issue(confirmed, version, expiresAt);
  return new AppError(
    'confirmation_required',
    { confirmToken, expiresAt: expiresAt.toISOString(), preview },
    call.confirmToken === undefined
      ? undefined
      : 'The confirmToken has expired or belongs to another call. Check the new preview and send its token.',
  );
}

/**
 * Adds confirmation to the resolver of an operation whose contract declares it (decisions 3.12, 3.13): a key with
 * `requireConfirmation` runs it only with the token of a preview of the same call. If the preview named an entry's
 * version, the call must find that version. Every surface runs operations through the result.
 * @throws AppError `confirmation_required`, and what the call itself would throw
 */
export function withConfirmation(
  { _def: { meta, inputs, output } }: ConfirmableContract,
  resolver: ConfirmableResolver,
): ConfirmableResolver {
  if (meta?.confirmation === undefined) return resolver;
  const { confirmation, openapi } = meta;
  if (openapi === undefined || output === undefined)
    throw new Error('Confirmation requires a path and an output');
  const operation = `${openapi.method} ${openapi.path}`;
  const hasVersion = inputs.some(({ shape }) => 'version' in shape);
  return async ({ ctx, input }) => {
    const scope = ctx.admission as OperationScope;
    const confirmed = isCovered(confirmation, input) ? confirmedCall(scope, operation, input) : undefined;
    if (confirmed === undefined || scope.mode.rehearsal !== undefined) return resolver({ ctx, input });
    const { services, call } = scope;
    const known =
      call.confirmToken === undefined
        ? undefined
        : await services.confirmTokens.verify(call.confirmToken, confirmed, services.clock());
    if (known !== undefined) return resolver({ ctx, input: hasVersion ? { ...known, ...input } : input });
    const rehearsal = new Rehearsal();
    const result = await resolver({ ctx: { admission: rehearsalOf(scope, rehearsal) }, input });
    const preview = rehearsedReply(output.parse(result) as object, rehearsal);
    throw await confirmationRequired(scope, confirmed, preview);
  };
}
