import { requestError } from '../errors/request-error.js';
import { guards, type QueryLimits } from './query-limits.js';

/** Offset of the last character; the end of the query if unclosed. */
function endOfString(query: string, start: number): number {
  if (!query.startsWith('"""', start)) {
    let at = start + 1;
    while (at < query.length && query[at] !== '"' && query[at] !== '\n') at += query[at] === '\\' ? 2 : 1;
    return at;
  }
  let at = query.indexOf('"""', start + 3);
  while (at > 0 && query[at - 1] === '\\') at = query.indexOf('"""', at + 3);
  return at < 0 ? query.length : at + 2;
}

function endOfComment(query: string, start: number): number {
  const at = query.indexOf('\n', start);
  return at < 0 ? query.length : at;
}

/** Outside strings and comments. */
function nestingOf(query: string): { brackets: number; braces: number } {
  const deepest = { brackets: 0, braces: 0 };
  let brackets = 0;
  let braces = 0;
  for (let at = 0; at < query.length; at += 1) {
    const character = query[at];
    if (character === '"') at = endOfString(query, at);
    else if (character === '#') at = endOfComment(query, at);
    else if (character === '{' || character === '(' || character === '[') {
      brackets += 1;
      if (character === '{') braces += 1;
      deepest.brackets = Math.max(deepest.brackets, brackets);
      deepest.braces = Math.max(deepest.braces, braces);
    } else if (character === '}' || character === ')' || character === ']') {
      brackets -= 1;
      if (character === '}') braces -= 1;
    }
  }
  return deepest;
}

/**
 * Rejects nesting that could overflow the parser.
 * @throws GraphqlRequestError `query_depth_exceeded` {max, actual} for selection sets, else `graphql_parse_failed`
 */
export function assertParsable(query: string, { maxQueryDepth }: QueryLimits): void {
  const { brackets, braces } = nestingOf(query);
  if (brackets <= guards.nestedBrackets) return;
  if (braces > guards.nestedBrackets) {
    throw requestError(
      'query_depth_exceeded',
      `The query is nested ${braces} levels deep. The maximum is ${maxQueryDepth}.`,
      {
        max: maxQueryDepth,
        actual: braces,
      },
    );
  }
  throw requestError(
    'graphql_parse_failed',
    `Brackets are nested too deeply. The maximum is ${guards.nestedBrackets}.`,
  );
}
