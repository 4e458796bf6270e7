import type { ReleaseChange, ReleaseIssue } from '../../../../contracts/entries/releases/release.js';
import { AppError } from '../../../../contracts/errors.js';
import type { Catalog } from '../../../content/catalog.js';
import { publicPath } from '../../../content/route-path.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { takeFile } from '../../media/media/index.js';
import {
  createRedirect,
  deleteRedirect,
  RedirectRepository,
  updateRedirect,
} from '../../routing/redirects/index.js';
import { EntryTreeRepository, moveTreeNode } from '../../routing/tree/index.js';
import {
  HistoryRepository,
  isRefusal,
  localeOf,
  lockTogether,
  noteAlong,
  noteUnpublishedAlong,
  publishTogether,
  type Applied,
  type ApprovalOverride,
  type Outcome,
  type StoredEntry,
  type TogetherTarget,
} from '../entries/index.js';
import {
  ReleaseItemRepository,
  type LivePath,
  type LiveVersion,
  type Replaced,
  type ShownItem,
} from './release-item.repository.js';

type Given<K extends ShownItem['given']['kind']> = Extract<ShownItem['given'], { kind: K }>;
type ItemOf<K extends ShownItem['given']['kind']> = ShownItem & { readonly given: Given<K> };

export const itemsOf = <K extends ShownItem['given']['kind']>(
  items: readonly ShownItem[],
  kind: K,
): ItemOf<K>[] => items.filter((item): item is ItemOf<K> => item.given.kind === kind);

/** What was done by item id, and why items cannot be published; then the caller undoes everything. */
export interface AppliedRelease {
  readonly replaced: ReadonlyMap<string, Replaced>;
  readonly issues: readonly ReleaseIssue[];
}

const issueOf = (item: ShownItem | undefined, { code, message, details }: AppError): ReleaseIssue => ({
  itemId: item?.id ?? null,
  title: item?.title ?? null,
  code,
  message,
  ...(details !== undefined && { details }),
});

/** Collects what items replace, and their failures, each of which undoes its part. */
export class ReleaseSteps implements AppliedRelease {
  readonly replaced = new Map<string, Replaced>();
  readonly issues: ReleaseIssue[] = [];

  constructor(private readonly work: UnitOfWork) {}

  refuse(item: ShownItem | undefined, error: AppError): void {
    this.issues.push(issueOf(item, error));
  }

  /** Undefined if it failed. @param item unless the step is of several */
  async run<T>(item: ShownItem | undefined, step: (part: UnitOfWork) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.work.part(step);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.refuse(item, error);
      return undefined;
    }
  }

  /** As {@link run}, of a step that returns what it replaced, or undefined if it changed nothing. */
  async replace(item: ShownItem, step: (part: UnitOfWork) => Promise<Replaced | undefined>): Promise<void> {
    const replaced = await this.run(item, step);
    if (replaced !== undefined) this.replaced.set(item.id, replaced);
  }
}

export function liveVersion(entry: StoredEntry | undefined, locale: string): LiveVersion {
  const state = entry && localeOf(entry, locale);
  const { publishedVersion: version = null, publishedAt: at = null } = state ?? {};
  return version === null || at === null ? null : { version, at: at.toISOString() };
}

async function moveNode(work: UnitOfWork, { given }: ItemOf<'treeMove'>): Promise<Replaced | undefined> {
  const { nodeId: id, parentId, position } = given;
  const items = work.use(ReleaseItemRepository);
  const from = await items.placeOf(id);
  const projectSlug = work.scope.projectSlug ?? '';
  const move = { projectSlug, id, parentId, position, createRedirects: true };
  const { data } = await moveTreeNode(work, move);
  const to = await items.placeOf(data.id);
  const isMoved = from?.parentId !== to?.parentId || from?.position !== to?.position;
  return from && to && isMoved ? { node: { from, to } } : undefined;
}

async function changeRedirect(
  work: UnitOfWork,
  { given }: ItemOf<'redirect'>,
): Promise<Replaced | undefined> {
  const { action, redirectId: id = '', redirect: { siteId = '', source = '', ...rest } = {} } = given;
  const projectSlug = work.scope.projectSlug ?? '';
  const redirects = work.use(RedirectRepository);
  if (action === 'create') {
    const { data } = await createRedirect(work, { projectSlug, siteId, source, ...rest });
    return { redirect: { from: null, to: await redirects.find(data.id) } };
  }
  const from = await redirects.find(id);
  if (action === 'delete') {
    await deleteRedirect(work, { projectSlug, id });
    return { redirect: { from, to: null } };
  }
  await updateRedirect(work, { projectSlug, id, ...rest, ...(source !== '' && { source }) });
  const to = await redirects.find(id);
  return to.updatedAt.getTime() === from.updatedAt.getTime() ? undefined : { redirect: { from, to } };
}

/** The versions of pinned items, by item id. Missing ones are refused. */
async function pinnedContents(
  work: UnitOfWork,
  items: readonly ItemOf<'entry'>[],
  entries: ReadonlyMap<string, StoredEntry>,
): Promise<ReadonlyMap<string, TogetherTarget['content']>> {
  const pinned = items.flatMap((item) => {
    const { entryId, locale, pinnedVersion } = item.given;
    const entry = entries.get(entryId);
    if (typeof pinnedVersion !== 'number' || entry === undefined) return [];
    return [{ itemId: item.id, entryId, locale, version: pinnedVersion, contentTypeId: entry.contentTypeId }];
  });
  const contents = await work.use(HistoryRepository).contentsAt(pinned);
  return new Map(pinned.map(({ itemId }, index) => [itemId, contents[index]]));
}

/** Records each entry as changed along with the release. */
export function noteEntries(work: UnitOfWork, catalog: Catalog, outcomes: readonly Outcome[]): void {
  const changed = outcomes.filter((one): one is Applied => !isRefusal(one) && one.isChanged);
  const isLive = ({ after, locale }: Applied): boolean => liveVersion(after, locale) !== null;
  noteAlong(work, catalog, changed.filter(isLive));
  noteUnpublishedAlong(
    work,
    catalog,
    changed.filter((one) => !isLive(one)),
  );
}

/** See `TargetGroup`. */
interface ApplyOptions {
  readonly isJob: boolean;
  readonly override?: ApprovalOverride;
}

async function applyEntries(
  work: UnitOfWork,
  catalog: Catalog,
  { items, steps, ...options }: ApplyOptions & { items: readonly ItemOf<'entry'>[]; steps: ReleaseSteps },
): Promise<void> {
  const entries = await lockTogether(
    work,
    items.map(({ given }) => given.entryId),
  );
  const contents = await pinnedContents(work, items, entries);
  const known = items.filter((item) => !contents.has(item.id) || contents.get(item.id) !== undefined);
  for (const item of items.filter((one) => !known.includes(one)))
    steps.refuse(item, new AppError('version_not_found', { versionNum: item.given.pinnedVersion }));
  const targets = known.map(({ id, given }): TogetherTarget => ({
    id: given.entryId,
    locale: given.locale,
    action: given.action,
    content: contents.get(id),
  }));
  const outcomes = await publishTogether(work, catalog, { targets, ...options });
  noteEntries(work, catalog, outcomes);
  outcomes.forEach((outcome, index) => {
    const item = known[index]!;
    if (isRefusal(outcome)) steps.refuse(item, outcome.error);
    else if (outcome.isChanged) {
      const { before, after, locale } = outcome;
      const entry = { from: liveVersion(before, locale), to: liveVersion(after, locale) };
      steps.replaced.set(item.id, { entry });
    }
  });
}

/** Makes every change of a release: nodes first, because their trees are locked for it. Pages may swap their paths. */
export async function applyRelease(
  work: UnitOfWork,
  catalog: Catalog,
  { items, ...options }: ApplyOptions & { readonly items: readonly ShownItem[] },
): Promise<AppliedRelease> {
  const steps = new ReleaseSteps(work);
  const tree = work.use(EntryTreeRepository);
  await tree.deferPaths();
  for (const item of itemsOf(items, 'treeMove')) await steps.replace(item, (part) => moveNode(part, item));
  const entries = itemsOf(items, 'entry');
  if (entries.length > 0)
    await steps.run(undefined, (part) => applyEntries(part, catalog, { items: entries, steps, ...options }));
  await assertPaths(work, { items, steps });
  for (const item of itemsOf(items, 'media')) {
    const { assetId: id, replacementAssetId: fromId } = item.given;
    await steps.replace(item, async (part) => {
      const media = await takeFile(part, { id, fromId });
      return media && { media };
    });
  }
  for (const action of ['delete', 'update', 'create'] as const)
    for (const item of itemsOf(items, 'redirect').filter(({ given }) => given.action === action))
      await steps.replace(item, (part) => changeRedirect(part, item));
  return steps;
}

/** Names the items whose pages have the same path as others. */
export async function assertPaths(
  work: UnitOfWork,
  { items, steps }: { readonly items: readonly ShownItem[]; readonly steps: ReleaseSteps },
): Promise<void> {
  const entries = itemsOf(items, 'entry');
  const same = await work.use(ReleaseItemRepository).samePaths(entries.map(({ given }) => given.entryId));
  for (const item of entries.filter(({ given }) => same.has(given.entryId)))
    steps.refuse(item, new AppError('slug_conflict'));
  if (same.size === 0) await steps.run(undefined, (part) => part.use(EntryTreeRepository).assertPathsFree());
}

/** Live paths that the items may change. */
export async function pathsAround(work: UnitOfWork, items: readonly ShownItem[]): Promise<LivePath[]> {
  const nodes = itemsOf(items, 'treeMove').map(({ given }) => given.nodeId);
  const entries = itemsOf(items, 'entry').map(({ given }) => given.entryId);
  return work.use(ReleaseItemRepository).livePaths(nodes, entries);
}

interface Difference {
  readonly items: readonly ShownItem[];
  readonly replaced: ReadonlyMap<string, Replaced>;
  readonly before: readonly LivePath[];
  readonly after: readonly LivePath[];
}

const pathKey = ({ entryId, locale }: { entryId: string; locale: string }): string => `${entryId} ${locale}`;
type Shown = Pick<ReleaseChange, 'from' | 'to'>;

const verbOf = ({ from, to }: Shown): ReleaseChange['change'] =>
  from === null ? 'added' : to === null ? 'removed' : from === to ? 'updated' : 'moved';

/** What readers see of the changes, path by path: items first, then pages that move along. */
export function changesOf(catalog: Catalog, { items, replaced, before, after }: Difference): ReleaseChange[] {
  const shown = (path: LivePath | undefined): string | null => {
    const site = path && catalog.site(path.siteId);
    return path && site ? publicPath(site, path.locale, path.path) : null;
  };
  const [was, is] = [before, after].map((paths) => new Map(paths.map((path) => [pathKey(path), path])));
  const named = new Set<string>();
  const changes = items.flatMap((item): ReleaseChange[] => {
    const { given, title, siteId } = item;
    const done = replaced.get(item.id);
    const about = { siteId, title: title ?? '', locale: null, fromVersion: null, toVersion: null };
    if (given.kind === 'entry' && done?.entry) {
      const { entryId: id, locale } = given;
      const key = pathKey(given);
      named.add(key);
      const { from, to } = done.entry;
      const paths = { from: shown(was?.get(key)), to: shown(is?.get(key)) };
      const isLive = { from: from && '', to: to && '' };
      const versions = { fromVersion: from?.version ?? null, toVersion: to?.version ?? null };
      const change = verbOf(paths.from === null && paths.to === null ? isLive : paths);
      return [{ ...about, kind: 'entry', change, id, locale, ...paths, ...versions }];
    }
    if (given.kind === 'redirect' && done?.redirect) {
      const [from, to] = [done.redirect.from, done.redirect.to] as ({
        id: string;
        source: string;
        target: string | null;
      } | null)[];
      const change = from === null ? 'added' : to === null ? 'removed' : 'updated';
      const { id = '', source = '' } = to ?? from ?? {};
      return [{ ...about, kind: 'redirect', change, id, from: source, to: to?.target ?? null }];
    }
    if (given.kind === 'media' && done?.media)
      return [{ ...about, kind: 'media', change: 'updated', id: given.assetId, from: null, to: null }];
    return [];
  });
  const others = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].flatMap(
    (key): ReleaseChange[] => {
      const [from, to] = [was?.get(key), is?.get(key)];
      const page = to ?? from;
      if (named.has(key) || page === undefined || from?.path === to?.path) return [];
      const { entryId: id, siteId, locale, title } = page;
      const paths = { from: shown(from), to: shown(to) };
      const versions = { fromVersion: null, toVersion: null };
      return [{ kind: 'entry', change: verbOf(paths), id, locale, siteId, title, ...paths, ...versions }];
    },
  );
  return [...changes, ...others];
}
