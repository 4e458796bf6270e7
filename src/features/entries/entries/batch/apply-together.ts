import type { AuditAction } from '../../../../../contracts/change-names.js';
import { AppError } from '../../../../../contracts/errors.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { brief, presentState } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { isRefusal, type LocaleTarget, type Outcome } from '../publication/locale-targets.js';
import { noteAlong } from '../publication/publish-entry.js';
import { publishLocales } from '../publication/publish-locales.js';
import { unpublishLocales } from '../publication/unpublish-locales.js';
import { admitDrafts, ALONE } from './admit-drafts.js';
import {
  changeOf,
  isAccepted,
  isDraftItem,
  isHistoryItem,
  isRefused,
  publishedAtOf,
  type BatchContext,
  type DraftItem,
  type ItemOutcome,
  type LiveItem,
  type Placed,
  type Refused,
} from './apply-single.js';
import { completeDrafts } from './complete-drafts.js';
import { writeDrafts } from './write-drafts.js';

/** Outcomes of items that could be applied together; the others are left. */
export interface Together {
  readonly outcomes: readonly ItemOutcome[];
  readonly left: readonly Placed[];
}

/** Drafts that were written but cannot be published: the whole is undone and tried again without them. */
export class NotPublished extends Error {
  constructor(readonly refused: readonly Refused[]) {
    super('Some drafts cannot be published.');
  }
}

/** Attempts before the items are applied one by one. */
const MAXIMUM_ATTEMPTS = 4;

function notePublication(
  work: UnitOfWork,
  { catalog }: BatchContext,
  { action, outcome }: { action: AuditAction; outcome: Exclude<Outcome, { error: AppError }> },
): void {
  const { locale, before, after } = outcome;
  const [was, is] = [before, after].map((entry) => brief(presentState(entry, locale, catalog)));
  work
    .use(EntryRepository)
    .note({ action, entry: after, locale, before: was ?? null, after: is ?? null, isAlong: true });
}

interface WrittenLocale extends Pick<LocaleTarget, 'id' | 'publishedAt'> {
  readonly index: number;
  readonly locale: string;
}

/**
 * Publishes locales that items wrote. What was published, by index of the item.
 * @throws NotPublished
 */
export async function publishWritten(
  work: UnitOfWork,
  context: BatchContext,
  wanted: readonly WrittenLocale[],
): Promise<Map<number, Exclude<Outcome, { error: AppError }>>> {
  const { catalog } = context;
  if (wanted.length === 0) return new Map();
  const targets = wanted.map(({ id, locale, publishedAt }) => ({ id, locale, publishedAt }));
  const { outcomes, along } = await publishLocales(work, catalog, { targets, withDependencies: false });
  const refused = outcomes.flatMap((outcome, index) =>
    isRefusal(outcome) ? [{ index: wanted[index]?.index ?? 0, error: outcome.error }] : [],
  );
  if (refused.length > 0) throw new NotPublished(refused);
  noteAlong(work, catalog, along);
  const published = new Map<number, Exclude<Outcome, { error: AppError }>>();
  for (const [index, outcome] of outcomes.entries()) {
    if (isRefusal(outcome)) continue;
    if (outcome.isChanged) notePublication(work, context, { action: 'entry.publish', outcome });
    published.set(wanted[index]?.index ?? 0, outcome);
  }
  return published;
}

async function applyDrafts(
  work: UnitOfWork,
  context: BatchContext,
  items: readonly Placed<DraftItem>[],
): Promise<Together> {
  const { catalog } = context;
  const admissions = await admitDrafts(work, context, items);
  const left = items.filter((_, index) => admissions[index] === ALONE);
  const admitted = admissions.filter((one) => one !== ALONE);
  const drafts = admitted.filter(isAccepted);
  const completed = await completeDrafts(work, context, drafts);
  const written = completed.filter(isAccepted);
  const settled = await writeDrafts(
    work,
    catalog,
    written.flatMap(({ change }) => change ?? []),
  );
  const published = await publishWritten(
    work,
    context,
    written
      .filter(({ item }) => item.publish)
      .map(({ index, id, locale, item }) => ({ index, id, locale, publishedAt: publishedAtOf(item) })),
  );
  const applied = written.map((draft): ItemOutcome => {
    const { index, id, before, locale, read } = draft;
    const { warnings } = read;
    const entry = published.get(index)?.after ?? settled.get(id) ?? before;
    if (entry === null) throw new Error('a draft was not written');
    return { index, entry, locale, ...changeOf(catalog, { before, after: entry, locale }), warnings };
  });
  return { outcomes: [...admitted.filter(isRefused), ...completed.filter(isRefused), ...applied], left };
}

async function tryDrafts(
  work: UnitOfWork,
  context: BatchContext,
  items: readonly Placed<DraftItem>[],
): Promise<Together> {
  const refused: Refused[] = [];
  let rest = items;
  for (let count = 0; count < MAXIMUM_ATTEMPTS && rest.length > 0; count += 1) {
    const tried = rest;
    try {
      const { outcomes, left } = await work.part((part) => applyDrafts(part, context, tried));
      return { outcomes: [...refused, ...outcomes], left };
    } catch (error) {
      if (!(error instanceof NotPublished)) {
        if (error instanceof AppError) break;
        throw error;
      }
      refused.push(...error.refused);
      const gone = new Set(error.refused.map(({ index }) => index));
      rest = rest.filter(({ index }) => !gone.has(index));
    }
  }
  return { outcomes: refused, left: rest };
}

/** Publications with equal options are made together. */
async function applyLive(
  work: UnitOfWork,
  context: BatchContext,
  group: readonly Placed<LiveItem>[],
): Promise<ItemOutcome[]> {
  const { catalog } = context;
  const [{ item } = { item: undefined }] = group;
  const targets = group.map(({ entryId, item: { locale, version } }) => ({
    id: entryId ?? '',
    locale,
    version,
  }));
  const run = async (part: UnitOfWork): Promise<readonly Outcome[]> => {
    if (item?.action !== 'publish') return unpublishLocales(part, catalog, { targets });
    const { withDependencies, comment } = item;
    const request = { targets, withDependencies, comment };
    const { outcomes, along } = await publishLocales(part, catalog, request);
    noteAlong(part, catalog, along);
    return outcomes;
  };
  const outcomes = await run(work);
  return outcomes.map((outcome, place): ItemOutcome => {
    const index = group[place]?.index ?? 0;
    if (isRefusal(outcome)) return { index, error: outcome.error };
    const { before, after, locale, isChanged } = outcome;
    const action = `entry.${item?.action ?? 'publish'}` as const;
    if (isChanged) notePublication(work, context, { action, outcome });
    const change = isChanged
      ? changeOf(catalog, { before, after, locale })
      : { isCreated: false, before: null, after: null };
    return { index, entry: after, locale, ...change, warnings: [] };
  });
}

const optionsOf = ({ item }: Placed<LiveItem>): string =>
  item.action === 'unpublish' ? item.action : JSON.stringify([item.withDependencies, item.comment]);

/** Items of different entries, with constantly many statements for drafts and for each kind of publication. */
export async function applyTogether(
  work: UnitOfWork,
  context: BatchContext,
  items: readonly Placed[],
): Promise<Together> {
  const drafts = items.filter(isDraftItem);
  const together = drafts.length === 0 ? { outcomes: [], left: [] } : await tryDrafts(work, context, drafts);
  const live = items.filter(
    (placed): placed is Placed<LiveItem> => !isDraftItem(placed) && !isHistoryItem(placed),
  );
  const outcomes = [...together.outcomes];
  for (const group of Map.groupBy(live, optionsOf).values())
    outcomes.push(...(await applyLive(work, context, group)));
  return { outcomes, left: [...together.left, ...items.filter(isHistoryItem)] };
}
