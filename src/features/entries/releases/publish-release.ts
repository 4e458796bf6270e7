import { AppError } from '../../../../contracts/errors.js';
import type {
  PublishedRelease,
  ReleaseChange,
  ReleaseIssue,
  ReleaseValidation,
} from '../../../../contracts/entries/releases/release.js';
import type { releases } from '../../../../contracts/entries/releases/releases.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { ScheduledJobRepository } from '../../operations/jobs/index.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { applyRelease, changesOf, pathsAround } from './apply-release.js';
import { ReleaseItemRepository } from './release-item.repository.js';
import { ReleaseRepository, type ReadRelease } from './release.repository.js';
import { assertApproved, assertOpen, changed, presentRelease, releaseEvent } from './releases.js';

/** Large releases take longer than a request usually does. */
const STATEMENT_SECONDS = 120;

interface Publication {
  readonly release: ReadRelease;
  readonly changes: ReleaseChange[];
  /** Anything but an empty list must undo the unit of work. */
  readonly issues: readonly ReleaseIssue[];
}

const issueOf = ({ code, message, details }: AppError): ReleaseIssue => ({
  itemId: null,
  title: null,
  code,
  message,
  ...(details !== undefined && { details }),
});

const isEmpty = (): ReleaseIssue => ({
  itemId: null,
  title: null,
  code: 'no_items',
  message: 'The release has no items.',
});

/** Makes all changes of a locked release in this unit of work. */
async function runPublication(work: UnitOfWork, before: ReadRelease, isJob: boolean): Promise<Publication> {
  const catalog = await work.use(CatalogRepository).current();
  const items = work.use(ReleaseItemRepository);
  await items.allowLongStatements(STATEMENT_SECONDS);
  const shown = await items.list(before.id);
  const paths = await pathsAround(work, shown);
  if (before.jobId !== null && !isJob) await work.use(ScheduledJobRepository).cancel([before.jobId]);
  const { replaced, issues } = await applyRelease(work, catalog, { items: shown, isJob });
  if (shown.length === 0) return { release: before, changes: [], issues: [isEmpty()] };
  if (issues.length > 0) return { release: before, changes: [], issues };
  const difference = { items: shown, replaced, before: paths, after: await pathsAround(work, shown) };
  await items.saveReplaced(before.id, replaced);
  const done = { status: 'published', jobId: null, error: null, rolledBackAt: null } as const;
  const release = changed(work, before, { ...done, publishedAt: work.now, publishedBy: work.scope.actor });
  await work.use(ReleaseRepository).save(before, release, 'publish');
  work.emit(releaseEvent('published', release));
  return { release, changes: changesOf(catalog, difference), issues };
}

/**
 * Publishes a locked release.
 * @throws AppError 422 `release_invalid`, 409 `release_not_approved`
 */
export async function publishLocked(
  work: UnitOfWork,
  release: ReadRelease,
  isJob = false,
): Promise<Omit<Publication, 'issues'>> {
  assertApproved(release);
  const { issues, ...published } = await runPublication(work, release, isJob);
  if (issues.length > 0) throw new AppError('release_invalid', { items: issues });
  return published;
}

/** Ends the part of a dry run; carries its result. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed';

  constructor(readonly changes: ReleaseChange[]) {
    super('a dry run was undone');
  }
}

/**
 * Publishes a locked release and undoes it.
 * @throws AppError as {@link publishLocked}
 */
export async function rehearseLocked(work: UnitOfWork, release: ReadRelease): Promise<ReleaseChange[]> {
  try {
    return await work.part(async (part) => {
      throw new Rehearsed((await publishLocked(part, release)).changes);
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.changes;
    throw error;
  }
}

/** A no-op if the release is published. */
export async function publishRelease(
  work: UnitOfWork,
  { id, dryRun }: InputOf<typeof releases.publish>,
): Promise<PublishedRelease> {
  const before = await work.use(ReleaseRepository).lock(id);
  if (before.status === 'published') return { data: presentRelease(before), meta: { dryRun, changes: [] } };
  if (before.status !== 'scheduled') assertOpen(before);
  if (dryRun) {
    const changes = await rehearseLocked(work, before);
    return { data: presentRelease(before), meta: { dryRun, changes } };
  }
  const { release, changes } = await publishLocked(work, before);
  return { data: presentRelease(release), meta: { dryRun, changes } };
}

/** Runs in a unit of work that is rolled back. */
export async function validateRelease(
  work: UnitOfWork,
  { id }: InputOf<typeof releases.validate>,
): Promise<{ data: ReleaseValidation }> {
  const release = await work.use(ReleaseRepository).lock(id);
  if (release.status === 'published') assertOpen(release);
  const items = work.use(ReleaseItemRepository);
  const [shown, rivals] = [await items.list(release.id), await items.rivalsOf(release.id)];
  const issues = [...(await runPublication(work, release, false)).issues];
  try {
    assertApproved(release);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    issues.push(issueOf(error));
  }
  const offline = await items.offlineTargets(release.id);
  const warnings = shown.flatMap(({ id: itemId, subject }) => {
    const rival = rivals.get(subject);
    const message = `The release “${rival?.name ?? ''}” changes it too.`;
    return [
      ...(rival === undefined ? [] : [{ itemId, code: 'in_other_release', message }]),
      ...offline
        .filter((link) => link.itemId === itemId)
        .map(({ title, targetId }) => ({
          itemId,
          code: 'not_published',
          message: `The entry “${title ?? targetId}”, which it refers to, will not be published.`,
        })),
    ];
  });
  return { data: { isPublishable: issues.length === 0, issues, warnings } };
}
