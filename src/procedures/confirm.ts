import { isKey } from '../access/principal.js';
import { Rehearsal } from '../persistence/work/unit-of-work.js';
import type { z } from 'zod';
import { AppError } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import type { ConfirmationMeta, ConfirmationRule, OperationMeta } from '../../contracts/metadata.js';
import type { Admission } from '../../contracts/procedure.js';
import type { ConfirmedCall } from '../access/signed-token.js';
import type { Catalog } from '../content/catalog.js';
import type { OperationScope } from './call.js';

interface RehearsedChange extends Pick<
  Rehearsal['changes'][number],
  'action' | 'target' | 'before' | 'after'
> {
  readonly locale: string | null;
  readonly changedFields: readonly string[];
}

/** Result of a call that was executed and rolled back, with its changes in the form of audit records. */
export interface RehearsedReply {
  readonly dryRun: true;
  readonly changes: readonly RehearsedChange[];
  readonly [key: string]: unknown;
}

export function rehearsedReply(output: object, rehearsal: Rehearsal): RehearsedReply {
  const changes = rehearsal.changes.map(({ action, target, locale, changedFields, before, after }) => ({
    action,
    target,
    locale: locale ?? null,
    changedFields: [...changedFields],
    before,
    after,
  }));
  return { ...output, dryRun: true, changes };
}

type Input = Readonly<Record<string, unknown>>;

type ConfirmableResolver = (call: {
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

const rulesOf = (confirmation: ConfirmationMeta): readonly ConfirmationRule[] =>
  typeof confirmation === 'object' && Symbol.iterator in confirmation ? confirmation : [confirmation];

/** Whether a rule may cover the call; of some rules only a rehearsal tells. */
function isCovered(rule: ConfirmationRule, input: Input): boolean {
  if (rule === 'always' || rule === 'publicPaths') return true;
  if ('given' in rule) {
    const { given, values } = rule;
    return given.some((key) => input[key] !== undefined && values?.includes(input[key]) !== false);
  }
  if ('key' in rule) return rule.values.includes(String(input[rule.key]));
  const { each, keys } = rule;
  return (input[each] as readonly Input[]).some((item) =>
    Object.entries(keys).some(([key, values]) => values.includes(item[key])),
  );
}

/** Whether the rehearsed call does what its rule is about: equal values change nothing. */
function holds(rule: ConfirmationRule, rehearsal: Rehearsal): boolean {
  if (rule === 'publicPaths') return rehearsal.movesPublicPaths;
  if (rule === 'always' || !('given' in rule)) return true;
  const { given } = rule;
  const changed = rehearsal.changes.flatMap(({ changedFields }) => changedFields);
  return changed.some((path) => given.some((key) => path === key || path.startsWith(`${key}.`)));
}

interface Confirmable {
  readonly operation: string;
  readonly target: string | undefined;
  readonly input: Input;
}

/** Whether the environment that the call changes is protected (rule environments/protection). */
async function changesProtected(
  { services }: OperationScope,
  catalog: Catalog,
  { target, input }: Confirmable,
): Promise<boolean> {
  if (target === undefined) return catalog.data.environment.isProtected;
  const slug = input[target];
  const name = typeof slug === 'string' ? { slug } : null;
  const changed = await services.catalogs.find(catalog.data.project.slug, name);
  return changed?.data.environment.isProtected === true;
}

/** The call to confirm; undefined if the caller need not confirm. */
async function confirmedCall(scope: OperationScope, confirmable: Confirmable) {
  const { principal, catalog } = scope;
  if (!isKey(principal) || principal.kind === 'anonymous' || catalog === null) return undefined;
  const isAlways = principal.kind === 'api_key' && principal.requireConfirmation;
  const isNeeded = isAlways || (await changesProtected(scope, catalog, confirmable));
  if (!isNeeded) return undefined;
  const { operation, input } = confirmable;
  const { project, environment } = catalog.data;
  const keyId = principal.kind === 'user' ? (principal.personalKeyId ?? '') : principal.id;
  return { keyId, projectId: project.id, environmentId: environment.id, operation, input };
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
 * Adds confirmation to the resolver of an operation whose contract declares it (rules access/confirmation and environments/protection): a key with
 * `requireConfirmation`, or in a protected environment, runs it only with the token of a preview of the same call. If the preview named an entry's
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
    const rules = input.dryRun === true ? [] : rulesOf(confirmation).filter((rule) => isCovered(rule, input));
    const confirmed =
      rules.length > 0
        ? await confirmedCall(scope, { operation, target: meta.confirmsTarget, input })
        : undefined;
    if (confirmed === undefined || scope.mode.rehearsal !== undefined) return resolver({ ctx, input });
    const { services, call } = scope;
    const known =
      call.confirmToken === undefined
        ? undefined
        : await services.confirmTokens.verify(call.confirmToken, confirmed, services.clock());
    if (known !== undefined) return resolver({ ctx, input: hasVersion ? { ...known, ...input } : input });
    const rehearsal = new Rehearsal();
    const result = await resolver({ ctx: { admission: rehearsalOf(scope, rehearsal) }, input });
    if (!rules.some((rule) => holds(rule, rehearsal))) return resolver({ ctx, input });
    const preview = rehearsedReply(output.parse(result) as object, rehearsal);
    throw await confirmationRequired(scope, confirmed, preview);
  };
}
