import { AppError } from '../../../contracts/errors.js';
import type { Catalog } from '../../content/catalog.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import {
  isAdmitted,
  isRefusal,
  noteAlong,
  noteUnpublishedAlong,
  publishLocales,
  unpublishLocales,
  type ApprovalOverride,
  type Outcome,
} from '../entries/index.js';
import type { PlannedItem, PromotionPlan } from './promotion-plan.js';

interface Target {
  readonly id: string;
  readonly locale: string;
}

/** Locales written by one statement. */
const BATCH = 500;

const targetsOf = (plan: PromotionPlan, localesOf: (item: PlannedItem) => readonly string[]): Target[] =>
  plan.items.flatMap((item) => localesOf(item).map((locale) => ({ id: item.id, locale })));

/** @throws AppError of the first refusal, with its entry */
function assertAdmitted(outcomes: readonly Outcome[]): void {
  const refused = outcomes.filter(isRefusal);
  const [first] = refused;
  if (first === undefined) return;
  const { code, details } = first.error;
  throw new AppError(code, { entryId: first.id, refused: refused.length, reason: details });
}

/** In batches of one locale. */
async function inBatches(targets: readonly Target[], run: (some: Target[]) => Promise<void>): Promise<void> {
  for (const [, some] of Map.groupBy(targets, ({ locale }) => locale))
    for (let start = 0; start < some.length; start += BATCH) await run(some.slice(start, start + BATCH));
}

/** Publishes and unpublishes what the source did, once the content is written. */
export async function applyStatuses(
  work: UnitOfWork,
  catalog: Catalog,
  {
    plan,
    comment,
    override,
  }: { plan: PromotionPlan; comment: string | undefined; override: ApprovalOverride },
): Promise<void> {
  const published = targetsOf(plan, ({ statusChange }) => statusChange.published);
  await inBatches(published, async (targets) => {
    const { outcomes, along } = await publishLocales(work, catalog, { targets, comment, override });
    assertAdmitted(outcomes);
    const changed = outcomes.filter(isAdmitted).filter(({ isChanged }) => isChanged);
    noteAlong(work, catalog, [...changed, ...along]);
  });
  const unpublished = targetsOf(plan, ({ statusChange }) => statusChange.unpublished);
  await inBatches(unpublished, async (targets) => {
    const outcomes = await unpublishLocales(work, catalog, { targets, comment });
    assertAdmitted(outcomes);
    const changed = outcomes.filter(isAdmitted).filter(({ isChanged }) => isChanged);
    noteUnpublishedAlong(work, catalog, changed);
  });
}
