import { hasAnchoredText, mapRanges } from '../../../../content/anchors/index.js';
import type { Catalog } from '../../../../content/catalog.js';
import { isEqualJson } from '../../../../content/exact-json/canonical-json.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { AnchoredValues } from '../anchored-values.js';
import { localizedOf, type StoredEntry } from '../stored-entry.js';
import { AnchorRepository, type MovedAnchor } from './anchor.repository.js';

/** Anchors of one value move together. */
function movedAnchors(
  catalog: Catalog,
  after: StoredEntry,
  { anchors, shared, locales }: AnchoredValues,
): MovedAnchor[] {
  const fields = catalog.contentTypeById(after.contentTypeId)?.fields ?? [];
  const byValue = Map.groupBy(anchors, ({ fieldId, locale }) => `${fieldId} ${locale}`);
  return [...byValue.values()].flatMap((group) => {
    const [{ fieldId, locale } = { fieldId: '', locale: '' }] = group;
    const field = fields.find(({ id }) => id === fieldId);
    if (field === undefined || !hasAnchoredText(field)) return [];
    const { apiName, localized } = field;
    const before = localized ? locales?.[locale] : shared;
    // Locales that were not written keep their text.
    if (before === undefined) return [];
    const was = before[apiName];
    const is = (localized ? localizedOf(after, locale) : after.sharedFields)[apiName];
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
  work.use(AnchorRepository).move(movedAnchors(catalog, after, anchored));
}
