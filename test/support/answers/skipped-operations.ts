import { readFileSync } from 'node:fs';
import path from 'node:path';
import { registry, type OperationMeta } from '../../../contracts/index.js';

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** How a test can name an operation: its procedure, its tool, and its path below the project. */
function spellingsOf(name: string, meta?: OperationMeta): RegExp[] {
  const { mcp, openapi } = meta ?? {};
  const quoted = (text: string) => new RegExp(`['"\`]${literally(text)}['"\`]`);
  const names = [quoted(name), ...(mcp === undefined ? [] : [quoted(mcp.tool)])];
  if (openapi === undefined) return names;
  const below = openapi.path.replace(
    /^\/api\/(?:v1|delivery)(?:\/projects\/\{\w+\})?(?:\/sites\/\{siteSlug\}(?=\/))?/,
    '',
  );
  const parts = below.split(/\{\w+\}/).map((part) => literally(part));
  // Parameters are literals or templates; a query may follow.
  return [...names, new RegExp(`[\\w}'"\`]${parts.join('(?:\\$\\{[^}]*\\}|[^/\'"\`?\\s]+)')}(?=['"\`?])`)];
}

const spellings = Object.entries(registry).flatMap(([group, contracts]) =>
  Object.entries(contracts as Record<string, { _def: { meta?: OperationMeta } }>).map(
    ([verb, { _def }]) => [`${group}.${verb}`, spellingsOf(`${group}.${verb}`, _def.meta)] as const,
  ),
);

/** The operations that a text names. */
export const namedOperations = (text: string): string[] =>
  spellings.filter(([, found]) => found.some((spelling) => spelling.test(text))).map(([name]) => name);

const ownImport = /\bfrom '(\.{1,2}\/(?!(?:\.\.\/)*support\/)[^']+)\.js'/g;

/** The text of a test file and of the modules beside it that it imports, so that all its calls are in it. */
function textOf(file: string, seen = new Set<string>()): string {
  if (seen.has(file) || !/[\\/]test[\\/]/.test(file)) return '';
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(ownImport)].map(([, name = '']) =>
    path.resolve(file, '..', `${name}.ts`),
  );
  return [text, ...imported.map((one) => textOf(one, seen))].join('\n');
}

/**
 * The operations that skipped suites would have called. A run without them cannot tell whether the values of their
 * answers change, so these are judged where the suites run.
 */
export function skippedOperations(suites: readonly string[]): ReadonlySet<string> {
  return new Set(suites.flatMap((suite) => namedOperations(textOf(suite))));
}
