import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { BatchItem, BatchOutcome, BatchResult } from '../../../../../contracts/entries/entries/batch.js';
import { isPermitted, refusal } from '../../../../access/authorize.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { ExternalLinks } from '../drafts/external-links.js';
import type { RichTextConverter } from '../drafts/rich-text-input.js';
import { CountSlotRepository } from '../entry-batch.repository.js';
import { brief, presentState } from '../entry.presenter.js';
import {
  applySingle,
  isAccepted,
  isDraftItem,
  isRefused,
  publishedAtOf,
  type BatchContext,
  type ItemOutcome,
  type Placed,
  type Refused,
} from './apply-single.js';
import { applyTogether, NotPublished, publishWritten } from './apply-together.js';
import { BatchRecordRepository } from './target.repository.js';
import { assertNamed, Identities, type ReferencedItem, nameItems, wavesOf } from './identify-items.js';

type Input = InputOf<typeof entries.batch>;

/** Verbs that an item needs wherever it applies; rights on the entry are checked with it. */
const verbsOf = (item: BatchItem) => {
  if (item.action === 'publish') return ['entries.publish'] as const;
  if (item.action === 'unpublish') return ['entries.unpublish'] as const;
  return 'publish' in item && item.publish ? (['entries.publish'] as const) : [];
};

function refuseVerbs(work: UnitOfWork, { index, item }: ReferencedItem): Refused | undefined {
  const missing = verbsOf(item).find((verb) => !isPermitted(work, verb));
  return missing === undefined ? undefined : { index, error: refusal(work, missing) };
}

function placeAll(wave: readonly ReferencedItem[], identities: Identities): (Placed | Refused)[] {
  return wave.map((one) => {
    try {
      return identities.place(one);
    } catch (error) {
      if (error instanceof AppError) return { index: one.index, error };
      throw error;
    }
  });
}

const isSlugTaken = (outcome: ItemOutcome): boolean =>
  isRefused(outcome) && outcome.error.code === 'slug_conflict';

/** Items of different entries. What cannot be applied together is applied one by one. */
async function applyWave(
  work: UnitOfWork,
  context: BatchContext,
  placed: readonly Placed[],
): Promise<ItemOutcome[]> {
  const { outcomes, left } = await applyTogether(work, context, placed);
  const all = [...outcomes];
  for (const item of left) all.push(await applySingle(work, context, item));
  return all;
}

const withoutPublication = (placed: Placed): Placed =>
  isDraftItem(placed) ? { ...placed, item: { ...placed.item, publish: false } } : placed;

interface LinkedContext extends BatchContext {
  /** @throws NotPublished where an item links an entry that these outcomes leave unmade */
  assertMade(outcomes: readonly ItemOutcome[]): void;
}

/** Writes every draft before the first is published, as they may link each other. @throws NotPublished */
async function applyDraftsFirst(
  work: UnitOfWork,
  context: LinkedContext,
  placed: readonly Placed[],
): Promise<ItemOutcome[]> {
  const { catalog } = context;
  const drafts = placed.filter(isDraftItem);
  const wanted = new Map(
    drafts.filter(({ item }) => item.publish).map(({ index, item }) => [index, publishedAtOf(item)]),
  );
  const written = await applyWave(work, context, drafts.map(withoutPublication));
  context.assertMade(written);
  const published = await publishWritten(
    work,
    context,
    written
      .filter(isAccepted)
      .filter(({ index }) => wanted.has(index))
      .map(({ index, entry, locale }) => ({ index, id: entry.id, locale, publishedAt: wanted.get(index) })),
  );
  const outcomes = written.map((outcome) => {
    const live = published.get(outcome.index);
    if (isRefused(outcome) || live?.isChanged !== true) return outcome;
    const { locale, isCreated } = outcome;
    const was = isCreated ? null : brief(presentState(live.before, locale, catalog));
    const after = brief(presentState(live.after, locale, catalog));
    return { ...outcome, entry: live.after, before: outcome.before ?? was, after };
  });
  const live = placed.filter((one) => !isDraftItem(one));
  return [...outcomes, ...(await applyWave(work, context, live))];
}

interface Run {
  readonly named: readonly ReferencedItem[];
  readonly identities: Identities;
  readonly apply: typeof applyWave;
}

async function applyWaves(
  work: UnitOfWork,
  context: BatchContext,
  { named, identities, apply }: Run,
): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = [];
  for (const wave of wavesOf(named, identities)) {
    const places = placeAll(wave, identities);
    outcomes.push(...places.filter(isRefused));
    const applied = await apply(work, context, places.filter(isAccepted));
    for (const { index, entry } of applied.filter(isAccepted)) {
      const one = wave.find((item) => item.index === index);
      if (one !== undefined) identities.learn(one, entry.id);
    }
    outcomes.push(...applied);
  }
  const taken = new Set(outcomes.filter(isSlugTaken).map(({ index }) => index));
  const own = new Set(outcomes.filter(isAccepted).map(({ entry }) => entry.id));
  await identities.confirm(
    work,
    named.filter(({ index }) => taken.has(index)),
    own,
  );
  return outcomes;
}

/** Attempts before items that link new entries are refused, each alone. */
const MAXIMUM_ATTEMPTS = 6;

const indexesOf = (items: readonly { readonly index: number }[]): Set<number> =>
  new Set(items.map(({ index }) => index));

/**
 * Applies items that link what others create. Where one of these fails, all is undone and tried again without it and
 * those that link it, so that no link leads to an entry that was not made.
 */
async function applyLinked(
  work: UnitOfWork,
  context: BatchContext & { readonly links: ExternalLinks },
  { named, identities }: Omit<Run, 'apply'>,
): Promise<ItemOutcome[]> {
  const refused: Refused[] = [];
  let rest = named;
  const refuse = (more: readonly Refused[]): void => {
    refused.push(...more);
    const gone = indexesOf(more);
    rest = rest.filter(({ index }) => !gone.has(index));
  };
  const { links } = context;
  for (let attempt = 1; attempt < MAXIMUM_ATTEMPTS; attempt += 1) {
    const tried = rest;
    const failed = new Map<number, Refused>();
    const assertMade = (found: readonly ItemOutcome[]): void => {
      for (const one of found.filter(isRefused)) failed.set(one.index, one);
      const alive = tried.filter(({ index }) => !failed.has(index));
      if (links.lost(indexesOf(alive)).length > 0) throw new NotPublished([...failed.values()]);
    };
    const apply: typeof applyWave = (part, own, placed) =>
      applyDraftsFirst(part, { ...own, assertMade }, placed);
    try {
      const outcomes = await work.part(async (part) => {
        const found = await applyWaves(part, context, {
          named: tried,
          identities: identities.copy(),
          apply,
        });
        assertMade(found);
        return found;
      });
      return [...refused, ...outcomes];
    } catch (error) {
      if (!(error instanceof NotPublished)) throw error;
      refuse(error.refused);
      const lost = links.lost(indexesOf(rest));
      refuse(lost.map(({ index, issue }) => ({ index, error: invalidInput(issue) })));
    }
  }
  const alone = { ...context, links: links.storedOnly };
  const outcomes = await applyWaves(work, alone, { named: rest, identities, apply: applyWave });
  return [...refused, ...outcomes];
}

async function outcomesOf(
  work: UnitOfWork,
  context: Omit<BatchContext, 'links'>,
  items: readonly BatchItem[],
): Promise<ItemOutcome[]> {
  const { catalog } = context;
  const all = nameItems(work, catalog, items).map((one) =>
    isRefused(one) ? one : (refuseVerbs(work, one) ?? one),
  );
  const named = all.filter(isAccepted);
  const identities = await Identities.read(work, named);
  const values = named.map(({ item }) => ('fields' in item ? item.fields : undefined));
  const links = await ExternalLinks.read(work, { catalog, values }, (names) =>
    identities.reserve(named, names),
  );
  const outcomes =
    links?.areCreated === true
      ? await applyLinked(work, { ...context, links }, { named, identities })
      : await applyWaves(work, { ...context, links }, { named, identities, apply: applyWave });
  return [...all.filter(isRefused), ...outcomes].sort((a, b) => a.index - b.index);
}

function presentOutcome(
  { catalog }: Pick<BatchContext, 'catalog'>,
  item: BatchItem,
  outcome: ItemOutcome,
): BatchOutcome {
  const { action } = item;
  const { index } = outcome;
  if (isRefused(outcome)) {
    const { code, message, details } = outcome.error;
    const named = {
      entryId: ('id' in item ? item.id?.toLowerCase() : undefined) ?? null,
      externalId: item.externalId ?? null,
    };
    const failure = { error: code, message, ...(details !== undefined && { details }) };
    const state = { version: null, status: null, treeNodeId: null };
    const nothing = { locale: 'locale' in item ? (item.locale ?? null) : null, ...state, created: false };
    return { index, action, ok: false, ...named, ...nothing, ...failure };
  }
  const { entry, locale, isCreated, warnings } = outcome;
  const { version, status, treeNodeId, externalId } = presentState(entry, locale, catalog);
  const shown = { entryId: entry.id, externalId, locale, version, status, treeNodeId, created: isCreated };
  return { index, action, ok: true, ...shown, ...(warnings.length > 0 && { warnings: [...warnings] }) };
}

function resultOf(results: readonly BatchOutcome[]): BatchResult {
  const failed = results.filter(({ ok }) => !ok).length;
  return { total: results.length, succeeded: results.length - failed, failed, results: [...results] };
}

/** Nothing is applied; items that would have succeeded report it. */
function failureOf(results: readonly BatchOutcome[]): AppError {
  const message = 'Not applied, because other items failed.';
  const items = results.map((item): BatchOutcome => {
    if (!item.ok) return item;
    const state = { version: null, status: null, treeNodeId: null, created: false };
    return { ...item, ok: false, ...state, error: 'bulk_failed', message };
  });
  return new AppError('bulk_failed', resultOf(items));
}

/** One transaction, one audit record besides those of the entries. */
export async function batchEntries(
  work: UnitOfWork,
  { projectSlug, items, atomic }: Input,
  converter: RichTextConverter,
): Promise<{ data: BatchResult }> {
  assertNamed(items);
  work.use(CountSlotRepository).useOne();
  const catalog = await work.use(CatalogRepository).current();
  const context = { catalog, projectSlug, converter };
  const outcomes = await outcomesOf(work, context, items);
  const results = outcomes.flatMap((outcome) => {
    const item = items[outcome.index];
    return item === undefined ? [] : [presentOutcome(context, item, outcome)];
  });
  if (atomic && results.some(({ ok }) => !ok)) throw failureOf(results);
  work.use(BatchRecordRepository).note(outcomes.filter(isAccepted));
  return { data: resultOf(results) };
}
