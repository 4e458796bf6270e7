import type { Merge, Three } from './merge-model.js';
import { idsIn } from './selection.js';
import type { Snapshot, Values } from './snapshot.js';

const ofKind = (snapshot: Snapshot, kind: string): [string, Values, ReadonlyMap<string, Values>][] =>
  [...snapshot].flatMap(([key, item]) => {
    const [own, id = ''] = key.split(' ');
    return own === kind ? [[id, item.get('') ?? {}, item] as const] : [];
  });

const hasTwins = (values: readonly unknown[]): boolean => {
  const known = values.map((value) => JSON.stringify(value));
  return new Set(known).size < known.length;
};

/** Slugs by locale and place: below one parent in the tree, or of one type outside of it. */
function places(snapshot: Snapshot): unknown[] {
  const nodes = ofKind(snapshot, 'treeNode');
  const folders = nodes.flatMap(([, { parent, slug }]) =>
    slug === null ? [] : ['en', 'de'].map((locale) => [parent, locale, slug]),
  );
  const entries = ofKind(snapshot, 'entry').flatMap(([id, { type }, item]) => {
    const node = nodes.find(([, { entry }]) => entry === id)?.[1];
    return [...item].flatMap(([locale, { slug }]) =>
      locale === '' ? [] : [node === undefined ? [type, locale, slug] : [node.parent, locale, slug]],
    );
  });
  return [...folders, ...entries];
}

function hasCycle(snapshot: Snapshot): boolean {
  const parents = new Map(ofKind(snapshot, 'treeNode').map(([id, { parent }]) => [id, parent]));
  return [...parents.keys()].some((start) => {
    let at: unknown = start;
    for (let depth = 0; depth <= parents.size; depth += 1) at = parents.get(String(at));
    return at !== undefined && at !== null;
  });
}

const linksOf = (snapshot: Snapshot, key: string): string[] =>
  [...snapshot].flatMap(([other, item]) =>
    other !== key && other.startsWith('entry ')
      ? [...item.values()].flatMap((values) => [...idsIn(values)])
      : [],
  );

/** Codes with which the promotion may be refused, because the merged state would be wrong. */
export function refusals({ source, target }: Three, { expected, changes, taken }: Merge): Set<string> {
  const codes = new Set<string>();
  const types = ofKind(expected, 'contentType');
  const nodes = ofKind(expected, 'treeNode');
  const has = (kind: string, id: unknown): boolean => expected.has(`${kind} ${String(id)}`);
  const check = (code: string, isRefused: boolean): unknown => isRefused && codes.add(code);
  check('slug_conflict', hasTwins(places(expected)));
  check('api_name_conflict', hasTwins(types.map(([, { apiName }]) => apiName)));
  check(
    'api_name_conflict',
    types.some(([, , item]) =>
      hasTwins([...item].flatMap(([part, { apiName }]) => (part === '' ? [] : [apiName]))),
    ),
  );
  check('redirect_conflict', hasTwins(ofKind(expected, 'redirect').map(([, { source: from }]) => from)));
  check('entry_in_tree', hasTwins(nodes.flatMap(([, { entry }]) => (entry === null ? [] : [entry]))));
  check('tree_cycle', hasCycle(expected));
  check(
    'node_has_children',
    nodes.some(([, { parent }]) => parent !== null && !has('treeNode', parent)),
  );
  const known = (snapshot: Snapshot, id: string): boolean =>
    ['contentType', 'entry', 'treeNode'].some((kind) => snapshot.has(`${kind} ${id}`));
  check(
    'promotion_incomplete',
    taken.some(({ value }) => [...idsIn(value)].some((id) => known(source, id) && !known(expected, id))),
  );
  const fields = new Set(types.flatMap(([, , item]) => [...item.keys()]));
  check(
    'promotion_type_differs',
    taken.some(({ key, field }) => key.startsWith('entry ') && field.length === 36 && !fields.has(field)),
  );
  const deleted = [...changes].flatMap(([key, change]) => (change === 'deleted' ? [key] : []));
  check(
    'entry_in_use',
    deleted.some((key) => linksOf(target, key).includes(key.split(' ')[1] ?? '')),
  );
  check(
    'content_type_in_use',
    deleted.some(
      (key) =>
        key.startsWith('contentType ') &&
        ofKind(expected, 'entry').some(([, { type }]) => `contentType ${String(type)}` === key),
    ),
  );
  return codes;
}

/** A state without what follows from it: order instead of ranks, no automatic redirects. */
export function essence(snapshot: Snapshot): Record<string, unknown> {
  const orders = new Map<string, string[]>();
  const sorted = ofKind(snapshot, 'treeNode').sort(
    ([a, one], [b, two]) => Number(one.order) - Number(two.order) || (a < b ? -1 : 1),
  );
  for (const [id, { parent }] of sorted) {
    const place = `children of ${String(parent)}`;
    orders.set(place, [...(orders.get(place) ?? []), id]);
  }
  const items = [...snapshot].flatMap(([key, item]): [string, unknown][] => {
    if (item.get('')?.origin === 'auto') return [];
    const parts = [...item]
      .filter(([part]) => part !== '')
      .sort(([a, one], [b, two]) => Number(one.order) - Number(two.order) || (a < b ? -1 : 1));
    if (key.startsWith('status ')) {
      const live = [...item].filter(([, { status }]) => status !== 'draft').map(([locale]) => locale);
      return live.length === 0 ? [] : [[key, live.sort()]];
    }
    const bare = ([part, { order: _order, ...values }]: [string, Values]) => [part, values] as const;
    const shown = [bare(['', item.get('') ?? {}]), ...parts.map((one) => bare(one))];
    return [[key, key.startsWith('entry ') ? Object.fromEntries(shown) : shown]];
  });
  return Object.fromEntries([...orders, ...items]);
}
