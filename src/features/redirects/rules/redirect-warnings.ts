import type { Warning } from '../../../../contracts/envelopes.js';
import type { RedirectRule } from '../redirect-rule.js';

type Source = Pick<RedirectRule, 'source' | 'matchType'>;

/** `*`, or something in parentheses. */
const wildcard = /\*|\([^)]*\)/;

/** Whether the source looks like a pattern and is compared literally. */
export const hasLiteralWildcard = ({ source, matchType }: Source): boolean =>
  matchType !== 'regex' && wildcard.test(source);

export function redirectWarnings(rule: Source): Warning[] {
  if (!hasLiteralWildcard(rule)) return [];
  const { source, matchType } = rule;
  const message = `With matchType ${matchType}, ${source} is compared literally. Set matchType to regex for a pattern, or to prefix for all paths below one.`;
  return [{ code: 'literal_source', message }];
}
