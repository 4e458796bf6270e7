import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { Catalog } from '../../../content/catalog.js';
import {
  RolledBack,
  systemScope,
  type Address,
  type Apart,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import { ScheduledJobRepository, type PlannedJob } from '../../operations/jobs/index.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import type { Overlay } from '../../publishing/delivery/index.js';
import { ApprovalOverride, entryJobs } from '../entries/index.js';
import { applyRelease, itemsOf } from './apply-release.js';
import { ReleaseItemRepository, type ShownItem } from './release-item.repository.js';
import { ReleaseRepository } from './release.repository.js';
import { assertApproved } from './releases.js';
import { ShadowRepository, type Layer, type PublicationSubjects, type Reached } from './shadow.repository.js';

/** Makes rows of the search index of the environment, of entries as they are in the unit of work. */
export type IndexEntries = (
  work: UnitOfWork,
  entries: { readonly catalog: Catalog; readonly ids: readonly string[]; readonly environmentId: string },
) => Promise<string>;

/** What is asked: what schedules do until a time, then a release. */
export interface FutureQuestion {
  readonly at?: Date | undefined;
  readonly releaseId?: string | undefined;
  /** Changes of other sites are left out. */
  readonly onlySiteId?: string | undefined;
}

/** A publication, and when. */
interface Step {
  readonly at: Date;
  /** Of a release; a scheduled one is published as a whole or not at all. */
  readonly items?: readonly ShownItem[];
  readonly isScheduled?: true;
  readonly job?: Extract<PlannedJob, { readonly entryId: string }>;
}

/** @throws AppError 404 `release_not_found` */
async function releaseStep(
  work: UnitOfWork,
  { releaseId, onlySiteId }: FutureQuestion & { readonly releaseId: string },
): Promise<Step | undefined> {
  const { id, status } = await work.use(ReleaseRepository).find(releaseId);
  if (status === 'published') return undefined;
  const items = await work.use(ReleaseItemRepository).list(id);
  return { at: work.now, items: ofSite(items, onlySiteId) };
}

const ofSite = <T extends { readonly siteId: string | null }>(
  given: readonly T[],
  siteId: string | undefined,
): T[] => given.filter((one) => siteId === undefined || one.siteId === null || one.siteId === siteId);

/** Undefined for a release that will not be published. */
async function jobStep(
  work: UnitOfWork,
  job: PlannedJob,
  onlySiteId: string | undefined,
): Promise<Step | undefined> {
  const at = job.dueAt;
  if (job.kind !== 'release') return ofSite([job], onlySiteId).length === 0 ? undefined : { at, job };
  const release = await work.use(ReleaseRepository).find(job.releaseId);
  if (release.status !== 'scheduled' || release.jobId !== job.id) return undefined;
  try {
    assertApproved(release);
  } catch {
    return undefined;
  }
  const items = await work.use(ReleaseItemRepository).list(release.id);
  return { at, items: ofSite(items, onlySiteId), isScheduled: true };
}

/** @throws AppError 404 `release_not_found`, 422 `limit_reached` for too many schedules */
async function stepsOf(work: UnitOfWork, question: FutureQuestion): Promise<Step[]> {
  const { at, releaseId, onlySiteId } = question;
  const limit = limits.futureSchedules;
  const jobs = at === undefined ? [] : await work.use(ScheduledJobRepository).dueBy(at, limit + 1);
  if (jobs.length > limit)
    throw new AppError(
      'limit_reached',
      { limit },
      'Too many schedules are due until then. Use an earlier time.',
    );
  const steps: (Step | undefined)[] = [];
  for (const job of jobs) steps.push(await jobStep(work, job, onlySiteId));
  if (releaseId !== undefined) steps.push(await releaseStep(work, { releaseId, onlySiteId }));
  return steps.filter((step) => step !== undefined);
}

function namedIn(steps: readonly Step[]): PublicationSubjects {
  const items = steps.flatMap((step) => step.items ?? []);
  const jobs = steps.flatMap(({ job }) => job ?? []);
  const entries = itemsOf(items, 'entry').map(({ given }) => given);
  const idsOf = (some: readonly { readonly entryId: string }[]): string[] =>
    some.map(({ entryId }) => entryId);
  const media = itemsOf(items, 'media').flatMap(({ given }) => [given.assetId, given.replacementAssetId]);
  return {
    entryIds: idsOf([...entries, ...jobs]),
    withLinked: idsOf(jobs.filter(({ options }) => options.withDependencies === true)),
    leaving: idsOf([
      ...entries.filter(({ action }) => action === 'unpublish'),
      ...jobs.filter(({ kind }) => kind === 'unpublish'),
    ]),
    pinned: idsOf(entries.filter(({ pinnedVersion }) => typeof pinnedVersion === 'number')),
    moves: itemsOf(items, 'treeMove').map(({ given: { nodeId, parentId } }) => ({ nodeId, parentId })),
    assetIds: media,
    changesRedirects:
      itemsOf(items, 'redirect').length > 0 || jobs.some(({ options }) => options.redirectTo !== undefined),
  };
}

/** As its job or the release does it; a failure leaves everything as it was. */
async function take(work: UnitOfWork, { items, isScheduled, job }: Step): Promise<void> {
  if (job !== undefined) {
    await entryJobs[job.kind](work, job);
    return;
  }
  const catalog = await work.use(CatalogRepository).current();
  // What is not approved yet is what reviewers want to see.
  const override = new ApprovalOverride(everything, work.scope.environmentSlug ?? '');
  const options = isScheduled ? {} : { override };
  const { issues } = await applyRelease(work, catalog, { items: items ?? [], isJob: true, ...options });
  if (isScheduled && issues.length > 0) throw new AppError('release_invalid');
}

const everything = [{ resource: 'workflows', action: 'override', scope: {} }] as const;

interface Plan {
  readonly steps: readonly Step[];
  readonly reached: Reached;
  /** Equal as long as the same publications read the same. */
  readonly digest: string;
}

/** @throws AppError 404 `release_not_found`, 422 `limit_reached` */
async function planOf(work: UnitOfWork, question: FutureQuestion): Promise<Plan> {
  const steps = await stepsOf(work, question);
  const shadows = work.use(ShadowRepository);
  const reached = await shadows.reach(namedIn(steps));
  const { data } = await work.use(CatalogRepository).current();
  const what = steps.map(({ items, isScheduled, job }) => [
    isScheduled,
    items?.map(({ id, given }) => [id, given]),
    job && [job.id, job.version, job.scheduledAt, job.options],
  ]);
  const known = JSON.stringify([data.revision, what, reached, await shadows.versionOf(reached)]);
  return { steps, reached, digest: createHash('sha256').update(known).digest('base64') };
}

/**
 * Equal as long as {@link readFuture} returns the same, apart from the times of publications.
 * @throws AppError 404 `release_not_found`, 422 `limit_reached`
 */
const futureDigest = async (work: UnitOfWork, question: FutureQuestion): Promise<string> =>
  (await planOf(work, question)).digest;

/** What readers will see, as rows that replace others. */
interface Foreseen {
  readonly overlay: Overlay;
  readonly digest: string;
}

/**
 * Publications are run as they will be, in a shadow of the environment with the entries, pages, redirects and files that
 * they concern; then the unit of work is undone. What cannot be published stays as it is.
 * @param index set if the words of entries are wanted
 * @throws AppError 404 `release_not_found`, 422 `limit_reached`
 */
async function readFuture(
  work: UnitOfWork,
  question: FutureQuestion,
  index: IndexEntries | undefined,
): Promise<Foreseen> {
  const baseId = work.scope.environmentId ?? '';
  const { steps, reached, digest } = await planOf(work, question);
  if (steps.length === 0)
    throw new RolledBack({ overlay: { environmentId: baseId, tables: [] }, digest } satisfies Foreseen);
  const shadows = work.use(ShadowRepository);
  await work.use(ReleaseItemRepository).allowLongStatements(STATEMENT_SECONDS);
  const id = work.newId();
  const shadow = { id, slug: `shadow-${id}` };
  const memory = new Map<string, object>();
  await shadows.open(shadow);
  const unitAt = (now: Date): UnitOfWork => work.at(shadow, { now, memory } satisfies Apart);
  const present = unitAt(work.now);
  await present.use(ShadowRepository).fill(baseId, reached);
  for (const step of steps)
    try {
      await unitAt(step.at).part((part) => take(part, step));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  const layers = await layersOf(present, { baseId, reached, index });
  throw new RolledBack({ overlay: await shadows.overlayOf(baseId, layers), digest } satisfies Foreseen);
}

/** Large releases take longer than a request usually does. */
const STATEMENT_SECONDS = 60;

async function layersOf(
  work: UnitOfWork,
  {
    baseId,
    reached,
    index,
  }: { baseId: Address['environment']['id']; reached: Reached; index: IndexEntries | undefined },
): Promise<Layer[]> {
  const layers = await work.use(ShadowRepository).layers(baseId, reached);
  const ids = layers.find(({ name }) => name === 'published_entries')?.ids;
  if (index === undefined || ids === undefined) return layers;
  const catalog = await work.use(CatalogRepository).current();
  const rows = await index(work, { catalog, ids, environmentId: baseId });
  return [...layers, { name: 'search_documents', ids, rows }];
}

/** Bytes of what is known of the future. */
const REMEMBERED_BYTES = 64 * 1024 * 1024;

/** Remembers what readers will see, as long as nothing that decides it is written. */
export class Futures {
  readonly #known = new LRUCache<string, Foreseen>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: ({ overlay }) =>
      overlay.tables.reduce((bytes, { rows, ids }) => bytes + 2 * rows.length + 80 * ids.length, 1000),
  });
  readonly #running = new Map<string, Promise<Foreseen>>();

  /** @param index set if the words of entries are wanted */
  async read(units: UnitOfWorkFactory, { address, question }: Asked, index?: IndexEntries): Promise<Overlay> {
    const scope = systemScope({ address });
    const key = JSON.stringify([address.environment.id, question, index !== undefined]);
    const reading = { scope, isReadOnly: true, lock: 'none' } as const;
    const digest = await units.run(reading, (work) => futureDigest(work, question));
    const known = this.#known.get(key);
    if (known?.digest === digest) return known.overlay;
    const writing = { scope, isReadOnly: false, isSnapshot: true, lock: 'none' } as const;
    const place = `${key} ${digest}`;
    const running =
      this.#running.get(place) ?? units.run(writing, (work) => readFuture(work, question, index));
    this.#running.set(place, running);
    try {
      const foreseen = await running;
      this.#known.set(key, foreseen);
      return foreseen.overlay;
    } finally {
      this.#running.delete(place);
    }
  }
}

interface Asked {
  readonly address: Address;
  readonly question: FutureQuestion;
}
