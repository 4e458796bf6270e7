import { AppError, type InputIssue } from '../../../../contracts/errors.js';
import type { Refusal } from './locale-targets.js';
import type { Along } from './publish-along.js';

export const issuesOf = ({ details }: AppError): InputIssue[] =>
  (details as { issues?: InputIssue[] } | undefined)?.issues ?? [];

/**
 * An entry is published with everything that is published along, or not at all. Issues of others have paths starting
 * with `["dependencies", <id>]`.
 */
export function refusalWith(
  id: string,
  refused: ReadonlyMap<string, Refusal>,
  along: Along,
): Refusal | undefined {
  const key = id.toLowerCase();
  const own = refused.get(key);
  const refusals = [key, ...along.idsOf(key)].flatMap((one) => refused.get(one) ?? []);
  if (refusals.length === 0) return undefined;
  const other = refusals.find(({ error }) => error.code !== 'entry_invalid');
  if (other !== undefined) return { id, error: other.error };
  const issues = refusals.flatMap((refusal) =>
    issuesOf(refusal.error).map((issue) =>
      refusal === own ? issue : { ...issue, path: ['dependencies', refusal.id, ...issue.path] },
    ),
  );
  return { id, error: new AppError('entry_invalid', { issues }) };
}
