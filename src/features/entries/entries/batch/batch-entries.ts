import { AppError } from '../../../../../contracts/errors.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { BatchItem, BatchOutcome, BatchResult } from '../../../../../contracts/entries/entries/batch.js';
import { isPermitted, refusal } from '../../../../access/authorize.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import type { RichTextConverter } from '../drafts/rich-text-input.js';
import { CountSlotRepository } from '../entry-batch.repository.js';
import { presentState } from '../entry.presenter.js';
import {
  applySingle,
  isAccepted,
  isRefused,
  type BatchContext,
  type ItemOutcome,
  type Placed,
  type Refused,
} from './apply-single.js';
import { applyTogether } from './apply-together.js';
import { BatchRecordRepository } from './target.repository.js';
import { assertNamed, Identities, nameItems, wavesOf } from './identify-items.js';

type Input = InputOf<typeof entries.batch>;
type Named = Exclude<ReturnType<typeof nameItems>[number], Refused>;

/** Verbs that an item needs wherever it applies; rights on the entry are checked with it. */
const verbsOf = (item: BatchItem) => {
  if (item.action === 'publish') return ['entries.publish'] as const;
  if (item.action === 'unpublish') return ['entries.unpublish'] as const;
  return item.publish ? (['entries.publish'] as const) : [];
};

function refuseVerbs(work: UnitOfWork, { index, item }: Named): Refused | undefined {
  const missing = verbsOf(item).find((verb) => !isPermitted(work, verb));
  return missing === undefined ? undefined : { index, error: refusal(work, missing) };
}

function placeAll(wave: readonly Named[], identities: Identities): (Placed | Refused)[] {
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

async function outcomesOf(
  work: UnitOfWork,
  context: BatchContext,
  items: readonly BatchItem[],
): Promise<ItemOutcome[]> {
  const all = nameItems(context.catalog, items).map((one) =>
    isRefused(one) ? one : (refuseVerbs(work, one) ?? one),
  );
  const outcomes: ItemOutcome[] = all.filter(isRefused);
  const named = all.filter(isAccepted);
  const identities = await Identities.read(work, named);
  for (const wave of wavesOf(named, identities)) {
    const places = placeAll(wave, identities);
    outcomes.push(...places.filter(isRefused));
    const applied = await applyWave(work, context, places.filter(isAccepted));
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
  return outcomes.sort((a, b) => a.index - b.index);
}

function presentOutcome({ catalog }: BatchContext, item: BatchItem, outcome: ItemOutcome): BatchOutcome {
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
    const nothing = { locale: item.locale ?? null, ...state, created: false };
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
