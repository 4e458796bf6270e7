import { canonicalJson } from '../exact-json/canonical-json.js';

interface Named {
  readonly apiName: string;
}

export interface NameChange {
  readonly from: string;
  readonly to: string;
}

/** Declared renames whose former name exists and whose new name is free, in an order in which each is possible. */
function declaredChanges(names: Set<string>, declared: ReadonlyMap<string, string>): NameChange[] {
  const found: NameChange[] = [];
  for (let isProgress = true; isProgress;) {
    isProgress = false;
    for (const [to, from] of declared) {
      if (names.has(to) || !names.has(from)) continue;
      names.delete(from);
      names.add(to);
      found.push({ from, to });
      isProgress = true;
    }
  }
  return found;
}

/** Definitions by everything but their apiName; undefined for one that occurs twice. */
function uniqueByDefinition(items: readonly Named[]): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const { apiName, ...definition } of items) {
    const key = canonicalJson(definition);
    found.set(key, found.has(key) ? undefined : apiName);
  }
  return found;
}

/**
 * Renames between two lists: declared ones, and definitions that differ in nothing but the apiName, if exactly one
 * disappeared and one appeared.
 */
export function findRenames(
  before: readonly Named[],
  after: readonly Named[],
  declared: ReadonlyMap<string, string> = new Map(),
): NameChange[] {
  const names = new Set(before.map(({ apiName }) => apiName));
  const renames = declaredChanges(names, declared);
  const renamedFrom = new Set(renames.map(({ from }) => from));
  const wanted = new Set(after.map(({ apiName }) => apiName));
  const lost = uniqueByDefinition(
    before.filter(({ apiName }) => !wanted.has(apiName) && !renamedFrom.has(apiName)),
  );
  const made = uniqueByDefinition(after.filter(({ apiName }) => !names.has(apiName)));
  for (const [definition, to] of made) {
    const from = lost.get(definition);
    if (from !== undefined && to !== undefined) renames.push({ from, to });
  }
  return renames;
}
