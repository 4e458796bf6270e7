import { hasAnchoredText } from '../../../../content/anchors/anchored-text.js';
import { mapRanges } from '../../../../content/anchors/map-ranges.js';
import { composeValues } from '../../../../content/blocks/stored-values.js';
import { valueParts } from '../../../../content/blocks/value-parts.js';
import type { Catalog } from '../../../../content/catalog.js';
import { isEqualJson } from '../../../../content/exact-json/canonical-json.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { AnchoredValues, StoredAnchor } from '../anchored-values.js';
import { localizedOf, type StoredEntry } from '../stored-entry.js';
import { AnchorRepository, type MovedAnchor } from './anchor.repository.js';

interface Change {
  readonly catalog: Catalog;
  readonly after: StoredEntry;
  readonly anchored: AnchoredValues;
}

/** A value before and after, undefined where it has not changed for sure. */
type ValueChange = { readonly was: unknown; readonly is: unknown } | 'removed' | undefined;

function changeOfField(
  { catalog, after, anchored: { shared, locales } }: Change,
  { fieldId, locale }: StoredAnchor,
): ValueChange {
  const fields = catalog.contentTypeById(after.contentTypeId)?.fields ?? [];
  const field = fields.find(({ id }) => id === fieldId);
  if (field === undefined || !hasAnchoredText(field)) return undefined;
  const { apiName, localized } = field;
  const before = localized ? locales?.[locale] : shared;
  // Locales that were not written keep their text.
  if (before === undefined) return undefined;
  return { was: before[apiName], is: (localized ? localizedOf(after, locale) : after.sharedFields)[apiName] };
}

/** Of a locale that was not written, blocks in shared lists and their shared values are known. */
function changeInBlock(
  { catalog, after, anchored: { shared, locales } }: Change,
  { fieldId, blockId, locale }: StoredAnchor,
): ValueChange {
  const type = catalog.contentTypeById(after.contentTypeId);
  if (type === undefined) return undefined;
  const written = locales?.[locale];
  const partIn = (values: FieldValues) =>
    valueParts(catalog, type, values).find(({ block }) => block?._ref === blockId);
  const was = partIn(composeValues(shared, written ?? {}));
  if (was === undefined) return undefined;
  const is = partIn(
    composeValues(after.sharedFields, written === undefined ? {} : localizedOf(after, locale)),
  );
  if (is === undefined) return 'removed';
  const field = is.type.fields.find(({ id }) => id === fieldId);
  if (field === undefined || !hasAnchoredText(field)) return undefined;
  return { was: was.values[field.apiName], is: is.values[field.apiName] };
}

/** Anchors of one value move together. */
function movedAnchors(change: Change): MovedAnchor[] {
  const byValue = Map.groupBy(
    change.anchored.anchors,
    ({ fieldId, blockId, locale }) => `${fieldId} ${blockId ?? ''} ${locale}`,
  );
  return [...byValue.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const found = first.blockId === null ? changeOfField(change, first) : changeInBlock(change, first);
    if (found === undefined) return [];
    if (found === 'removed') return group.map(({ id }) => ({ id, range: null }));
    const { was, is } = found;
    if (isEqualJson(was, is)) return [];
    return mapRanges(was, is, group).map((range, index) => ({ id: group[index]?.id ?? '', range }));
  });
}

/** Anchors follow the text that was written (rule entries/comments). */
export function moveAnchors(
  work: UnitOfWork,
  catalog: Catalog,
  { after, anchored }: { after: StoredEntry; anchored: AnchoredValues | null },
): void {
  if (anchored === null) return;
  work.use(AnchorRepository).move(movedAnchors({ catalog, after, anchored }));
}
