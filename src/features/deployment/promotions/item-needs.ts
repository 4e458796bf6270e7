import { ROOT, type Parts } from '../../../content/three-way.js';
import { typesOfBlocks } from './block-parts.js';
import type { ComparedItem } from './compare-items.js';
import { keyText, type ItemKey, type ItemKind } from './item-kinds.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Every id within a value: links, assets, names in settings. */
export function* idsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (uuid.test(value)) yield value;
  } else if (Array.isArray(value)) for (const item of value) yield* idsIn(item);
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) yield* idsIn(member);
}

const idsOf = (parts: Parts): Set<string> =>
  new Set([...parts.values()].flatMap((values) => [...idsIn(values)]));

const named: readonly ItemKind[] = ['contentType', 'mediaFolder', 'media', 'entry', 'treeNode'];

/** Schema that an item depends on: as it is in the source, or absent in the target. */
function schemaOf({ kind, sides }: ComparedItem, all: ReadonlyMap<string, ComparedItem>): ItemKey[] {
  const root = sides.source.get(ROOT);
  if (kind === 'entry') {
    const blocks = [...sides.source.values()].flatMap((part) => [...typesOfBlocks(part).values()]);
    const ids = new Set([String(root?.content_type_id), ...blocks]);
    return [...ids].map((id) => ({ kind: 'contentType', id }));
  }
  if (kind !== 'contentType') return [];
  const settings = [...sides.source.values()].map(
    ({ settings: own }) => own as { customFieldType?: string } | undefined,
  );
  const customTypes = new Set(settings.map((own) => own?.customFieldType));
  return [...all.values()].filter((other) => {
    const { api_name: apiName, slug } = other.sides.source.get(ROOT) ?? {};
    if (other.kind === 'customFieldType') return customTypes.has(String(apiName));
    return other.kind === 'workflow' && slug === root?.workflow_slug;
  });
}

/** The node of an entry that the target does not have. */
function placeOf({ kind, id, sides }: ComparedItem, all: ReadonlyMap<string, ComparedItem>): ItemKey[] {
  if (kind !== 'entry' || sides.target.has(ROOT)) return [];
  return [...all.values()].filter(
    (other) => other.kind === 'treeNode' && other.sides.source.get(ROOT)?.entry_id === id,
  );
}

/** What an item needs in the target: its schema, and what it names that only the source has. */
export function needsOf(item: ComparedItem, all: ReadonlyMap<string, ComparedItem>): ItemKey[] {
  const missing = [...idsOf(item.sides.source)].flatMap((id) =>
    named.flatMap((kind) => {
      const other = all.get(keyText({ kind, id }));
      return other !== undefined && other.sides.source.has(ROOT) && !other.sides.target.has(ROOT)
        ? [other]
        : [];
    }),
  );
  return [...schemaOf(item, all), ...missing, ...placeOf(item, all)].map(({ kind, id }) => ({ kind, id }));
}
