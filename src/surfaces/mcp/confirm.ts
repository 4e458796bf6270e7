import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { OperationScope } from '../../procedures/index.js';
import type { RehearsedReply } from './dry-run.js';

/** A call that the key must confirm after seeing its effect. */
export interface ConfirmableCall {
  readonly tool: string;
  /** Without control arguments. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly confirmToken: string | undefined;
}

/** Whether the key must confirm calls that are public or cannot be undone (decisions 2.30). */
const mustConfirm = ({ principal }: OperationScope): boolean =>
  principal.kind === 'api_key' && principal.requireConfirmation;

function confirmedBy(scope: OperationScope, call: ConfirmableCall) {
  const { principal, catalog, services } = scope;
  if (principal.kind !== 'api_key' || catalog === null) throw new Error('an agent without key or project');
  const { tool, arguments: values } = call;
  return {
    tokens: services.confirmTokens,
    now: services.clock(),
    what: { keyId: principal.id, projectId: catalog.data.project.id, tool, arguments: values },
  };
}

/** Version of the entry before the call. */
function versionBefore({ changes }: RehearsedReply): number | undefined {
  const version = changes[0]?.before?.version;
  return typeof version === 'number' ? version : undefined;
}

/**
 * The arguments to run the call with. If the key requires confirmation, the first call fails with a preview and a
 * token; the second one sends the token and must find the version of the preview.
 * @throws AppError `confirmation_required` with `confirmToken`, `expiresAt` and `preview`
 */
export async function requireConfirmation(
  scope: OperationScope,
  call: ConfirmableCall,
  preview: () => Promise<RehearsedReply>,
): Promise<Readonly<Record<string, unknown>>> {
  if (!mustConfirm(scope)) return call.arguments;
  const { tokens, now, what } = confirmedBy(scope, call);
  const known =
    call.confirmToken === undefined ? undefined : await tokens.verify(call.confirmToken, what, now);
  if (known !== undefined) return { ...known, ...call.arguments };
  const shown = await preview();
  const expiresAt = new Date(now.getTime() + limits.confirmSeconds * 1000);
  throw new AppError(
    'confirmation_required',
    {
      confirmToken: await tokens.issue(what, versionBefore(shown), expiresAt),
      expiresAt: expiresAt.toISOString(),
      preview: shown,
    },
    call.confirmToken === undefined
      ? undefined
      : 'The confirmToken has expired or belongs to another call. Check the new preview and send its token.',
  );
}
