import { ROOT, type Difference } from '../../../content/three-way.js';
import type { ItemRow, StoredPart } from './item.repository.js';

type Status = 'draft' | 'published' | 'changed';

/** Status of a locale that both environments have and in which it differs. */
export interface StatusDifference {
  readonly locale: string;
  readonly base: Status;
  readonly source: Status;
  readonly target: Status;
  readonly changedIn: 'source' | 'target';
}

interface Stored {
  readonly base: readonly StoredPart<ItemRow | null>[];
  readonly source: readonly StoredPart[];
  readonly target: readonly StoredPart[];
}

/** Later parts replace earlier ones; null: there was no such locale. */
function statuses(parts: readonly StoredPart<ItemRow | null>[]): Map<string, Status> {
  const found = new Map<string, Status>();
  for (const { part, row, status } of parts)
    if (row === null) found.delete(part);
    else if (part !== ROOT) found.set(part, (status ?? row.status) as Status);
  return found;
}

const isLive = (status: Status): boolean => status !== 'draft';

function changedIn(
  { base, source, target }: Omit<StatusDifference, 'changedIn' | 'locale'>,
  isEqualDraft: boolean,
): StatusDifference['changedIn'] | undefined {
  if (isLive(source) !== isLive(target)) return isLive(target) === isLive(base) ? 'source' : 'target';
  if (source === target || !isEqualDraft) return undefined;
  return source === 'published' ? 'source' : 'target';
}

/**
 * Where an entry is published on one side only, or where one side published the draft that both have. Whether it is
 * live follows the side that changed it; of different drafts nothing else is compared.
 */
export function compareStatuses(stored: Stored, differences: readonly Difference[]): StatusDifference[] {
  const [bases, sources, targets] = [stored.base, stored.source, stored.target].map(statuses);
  return [...(sources ?? [])].flatMap(([locale, source]) => {
    const target = targets?.get(locale);
    if (target === undefined) return [];
    const found = { base: bases?.get(locale) ?? 'draft', source, target };
    const isEqualDraft = !differences.some(({ part }) => part === ROOT || part === locale);
    const changed = changedIn(found, isEqualDraft);
    return changed === undefined ? [] : [{ locale, ...found, changedIn: changed }];
  });
}

/** Whether the source published or unpublished a locale since both agreed. */
export function hasChangedStatus({ base, source }: Pick<Stored, 'base' | 'source'>): boolean {
  const bases = statuses(base);
  return [...statuses(source)].some(
    ([locale, status]) => isLive(status) !== isLive(bases.get(locale) ?? 'draft'),
  );
}

/** Locales that a promotion publishes and unpublishes. */
export interface StatusChange {
  readonly published: readonly string[];
  readonly unpublished: readonly string[];
}

export const noStatusChange: StatusChange = { published: [], unpublished: [] };

interface ChangedEntry {
  readonly stored: Pick<Stored, 'source' | 'target'>;
  readonly statusDifferences: readonly StatusDifference[];
  /** Differences whose source value is taken. */
  readonly taken: readonly Difference[];
}

/**
 * What the source published and unpublished, and every promoted locale whose draft is published there. A draft other
 * than the published one stays as it is.
 */
export function changeStatuses(
  { stored, statusDifferences, taken }: ChangedEntry,
  isSelected: (locale: string) => boolean,
): StatusChange {
  const isWritten = (locale: string): boolean => taken.some(({ part }) => part === ROOT || part === locale);
  const changed = new Map(statusDifferences.map((difference) => [difference.locale, difference.changedIn]));
  const localesWith = (status: Status): string[] =>
    [...statuses(stored.source)].flatMap(([locale, source]) =>
      source === status && isSelected(locale) ? [locale] : [],
    );
  return {
    published: localesWith('published').filter(
      (locale) => changed.get(locale) === 'source' || isWritten(locale),
    ),
    unpublished: localesWith('draft').filter((locale) => changed.get(locale) === 'source'),
  };
}

/** A base whose status is not that of the source, because it was not carried. */
export interface SettledStatus {
  readonly id: string;
  readonly locale: string;
  readonly status: string;
}

/** Of locales that remain live on one side only. New locales that stay drafts have none. */
export function settledStatuses({
  id,
  stored,
  statusDifferences,
  statusChange,
}: Omit<ChangedEntry, 'taken'> & {
  readonly id: string;
  readonly statusChange: StatusChange;
}): SettledStatus[] {
  const known = statuses(stored.target);
  const carried = [...statusChange.published, ...statusChange.unpublished];
  const kept = statusDifferences.filter(({ source, target }) => isLive(source) !== isLive(target));
  const fresh = [...statuses(stored.source)].flatMap(([locale, status]) =>
    isLive(status) && !known.has(locale) ? [{ locale, base: 'draft' as const }] : [],
  );
  return [...kept, ...fresh]
    .filter(({ locale }) => !carried.includes(locale))
    .map(({ locale, base }) => ({ id, locale, status: base }));
}
