import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { noValues } from '../anchored-values.js';
import { EntryRepository } from '../entry.repository.js';
import type { VersionContent } from '../history.repository.js';
import type { StoredEntry } from '../stored-entry.js';
import { isRefusal, type ApprovalOverride, type LocaleTarget, type Outcome } from './locale-targets.js';
import { publishLocales } from './publish-locales.js';
import { unpublishLocales } from './unpublish-locales.js';

/** One locale of an entry to publish or unpublish. */
export interface TogetherTarget {
  readonly id: string;
  readonly locale: string;
  readonly action: 'publish' | 'unpublish';
  /** Published instead of the draft. */
  readonly content?: VersionContent | undefined;
}

interface Together {
  /** An entry may be named in several locales, in each of them once. */
  readonly targets: readonly TogetherTarget[];
  readonly comment?: string | undefined;
  readonly isJob?: boolean | undefined;
  /** See `TargetGroup`. */
  readonly override?: ApprovalOverride | undefined;
}

type Attempt = (targets: readonly LocaleTarget[]) => Promise<readonly Outcome[]>;

/** Sets in which no entry is named twice, as bulk publication requires, of drafts or of other versions. */
function distinctSets(targets: readonly TogetherTarget[]): TogetherTarget[][] {
  const seen = new Map<string, number>();
  const sets = Map.groupBy(targets, ({ id, content }) => {
    const kind = content === undefined ? 'draft' : 'version';
    const place = seen.get(`${kind} ${id}`) ?? 0;
    seen.set(`${kind} ${id}`, place + 1);
    return `${kind} ${String(place)}`;
  });
  return [...sets.values()];
}

/**
 * Publishes and unpublishes as one change, however the parts depend on each other: an entry that leaves may have a unique
 * value that another needs, and one that is published may drop the link that keeps another. What is refused is tried again
 * as long as others succeed. The number of statements does not depend on the number of entries. The caller writes the audit
 * records, and undoes everything if one is refused.
 * @returns outcomes in the order of the targets
 */
export async function publishTogether(
  work: UnitOfWork,
  catalog: Catalog,
  { targets, comment, isJob, override }: Together,
): Promise<Outcome[]> {
  await work.use(EntryRepository).indexTogether();
  const outcomes = new Map<TogetherTarget, Outcome>();
  const attempts: Readonly<Record<TogetherTarget['action'], Attempt>> = {
    unpublish: (some) => unpublishLocales(work, catalog, { targets: some, comment, isJob }),
    publish: async (some) => {
      // A waiting job that publishes the draft still has something to do after another version was published.
      const keepsJobs = isJob === true || some.some(({ content }) => content !== undefined);
      return (await publishLocales(work, catalog, { targets: some, comment, isJob: keepsJobs, override }))
        .outcomes;
    },
  };
  const isOpen = (target: TogetherTarget): boolean => {
    const outcome = outcomes.get(target);
    return outcome === undefined || isRefusal(outcome);
  };
  for (let left = targets.length + 1, open = targets; open.length > 0 && open.length < left;) {
    left = open.length;
    for (const action of ['unpublish', 'publish'] as const)
      for (const some of distinctSets(open.filter((target) => target.action === action)))
        (await attempts[action](some)).forEach((outcome, index) => outcomes.set(some[index]!, outcome));
    open = targets.filter(isOpen);
  }
  return targets.flatMap((target) => outcomes.get(target) ?? []);
}

/** Locks the entries in the order in which every writer does. Those that are missing do not exist for the caller. */
export const lockTogether = (
  work: UnitOfWork,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredEntry>> => work.use(EntryRepository).lockAll(ids, noValues);
