import type { deliveryReads } from '../../../../../contracts/publishing/delivery/delivery.contract.js';
import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { SyncItem, SyncKind } from '../../../../../contracts/publishing/delivery/sync.js';
import type { Clock } from '../../../../infrastructure/clock.js';
import { siteOf, type DeliveryRead } from '../delivery-read.js';
import { servedLocales } from '../locale-chains.js';
import { itemsOf, type ItemParts, type SyncKey } from './sync-items.js';
import type { EntryPart, ReadMoment, SyncChange, SyncSource, WalkedKey } from './sync-changes.repository.js';
import type { SyncCursors, SyncMoment, SyncScope, SyncState, SyncWalk } from './sync-cursor.js';

/** What a sync reads with. */
export interface SyncRead {
  /** Of published content. */
  readonly read: DeliveryRead;
  readonly source: SyncSource;
  readonly cursors: SyncCursors;
  readonly clock: Clock;
  /** Whether the caller sees inactive sites. */
  readonly isPreview: boolean;
}

interface SyncPage {
  readonly data: SyncItem[];
  readonly meta: { nextCursor: string; hasMore: boolean };
}

/** A key, and the place after which a page continues that ends with it. */
interface Step<At> {
  readonly key: SyncKey;
  readonly at: At;
}

/** A page of it, and the last step on it. */
interface Filled<At> {
  readonly items: SyncItem[];
  readonly last: Step<At> | undefined;
  /** Whether the page has room for more. */
  readonly isOpen: boolean;
}

/** Documents that are read at once. */
const CHUNK = 100;
/** Characters after which a page ends. */
const PAGE_LENGTH = 4_000_000;
/** Parts of the content that one call looks for. */
const PARTS = 20;
/** Beyond it, types that have changed are not told apart. */
const MOST_TYPES = 50;

const EVERYTHING: SyncScope = { types: null, left: [] };

const lengthOf = (items: readonly SyncItem[]): number =>
  items.reduce((sum, item) => sum + JSON.stringify(item).length, 0);

/** Reads the documents of steps until the page is full. What a page has once it does not have again. */
async function fill<At>(parts: ItemParts, steps: readonly Step<At>[]): Promise<Filled<At>> {
  const items: SyncItem[] = [];
  const seen = new Set<string>();
  let length = 0;
  for (let start = 0; start < steps.length; start += CHUNK) {
    const chunk = steps.slice(start, start + CHUNK);
    const fresh = chunk.filter(({ key: { kind, id, locale } }) => {
      const name = `${kind} ${id} ${String(locale)}`;
      return !seen.has(name) && seen.add(name);
    });
    const found = await itemsOf(
      parts,
      fresh.map(({ key }) => key),
    );
    items.push(...found);
    length += lengthOf(found);
    if (length > PAGE_LENGTH && start + CHUNK < steps.length)
      return { items, last: chunk.at(-1), isOpen: false };
  }
  return { items, last: steps.at(-1), isOpen: true };
}

/** Part of the content that is walked through on its own. */
interface Part {
  readonly kind: SyncKind;
  readonly name: string;
  read(after: readonly string[], limit: number): Promise<WalkedKey[]>;
  /** Of its keys. */
  readonly locale: string | null;
}

const order: readonly SyncKind[] = ['entry', 'asset', 'route', 'redirect'];

/** Types whose entries are read; null: all. Entries contain blocks of other types. */
function typesIn({ read: { catalog } }: ItemParts, { types }: SyncScope): readonly string[] | null {
  if (types === null || types.some((id) => catalog.contentTypeById(id)?.isBlock !== false)) return null;
  return types;
}

function entryParts(parts: ItemParts, scope: SyncScope, found: readonly EntryPart[]): Part[] {
  const { read, source, site } = parts;
  const types = typesIn(parts, scope);
  const locales = [...servedLocales(read.catalog, site), ...scope.left];
  return found.flatMap(({ contentTypeId, locale }): Part[] => {
    const type = read.catalog.contentTypeById(contentTypeId);
    if (type === undefined || types?.includes(contentTypeId) === false) return [];
    const isForAll = !type.isLocalized;
    if (!isForAll && !locales.includes(locale)) return [];
    return [
      {
        kind: 'entry',
        name: `${contentTypeId} ${locale}`,
        locale: isForAll ? null : locale,
        read: (after, limit) =>
          source.entries({ contentTypeId, locale, isForAll }, { siteId: site.id, after, limit }),
      },
    ];
  });
}

/** The parts of the content in the scope from the place of a walk on, in their order. */
async function partsFrom(parts: ItemParts, scope: SyncScope, walk: SyncWalk): Promise<Part[]> {
  const { read, source, site } = parts;
  const query = (after: readonly string[], limit: number) => ({ siteId: site.id, after, limit });
  const all: Part[] = walk.kind === 'entry' ? entryParts(parts, scope, await source.entryParts(site.id)) : [];
  if (scope.types === null) {
    const shared = { name: '', locale: null };
    all.push(
      { kind: 'asset', ...shared, read: (after, limit) => source.assets(query(after, limit)) },
      { kind: 'redirect', ...shared, read: (after, limit) => source.redirects(query(after, limit)) },
      ...[...new Set([...servedLocales(read.catalog, site), ...scope.left])].map((locale): Part => ({
        kind: 'route',
        name: locale,
        locale,
        read: (after, limit) => source.routes(locale, query(after, limit)),
      })),
    );
  }
  const placeOf = ({ kind, name }: { kind: SyncKind; name: string }): string =>
    `${String(order.indexOf(kind))} ${name}`;
  const start = placeOf({ kind: walk.kind, name: walk.part });
  const places = all.map((part) => [placeOf(part), part] as const);
  return places
    .filter(([place]) => place >= start)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, part]) => part);
}

/** The next keys of a walk. @returns as well where it continues; undefined at its end */
async function stepsOf(
  parts: ItemParts,
  { scope, walk, limit }: { scope: SyncScope; walk: SyncWalk; limit: number },
): Promise<{ steps: Step<SyncWalk>[]; next: SyncWalk | undefined }> {
  const steps: Step<SyncWalk>[] = [];
  const ahead = await partsFrom(parts, scope, walk);
  for (const [place, { kind, name, locale, read }] of ahead.entries()) {
    if (place === PARTS) return { steps, next: { kind, part: name, after: [] } };
    const room = limit - steps.length;
    const isStarted = kind === walk.kind && name === walk.part;
    const keys = await read(isStarted ? walk.after : [], room);
    for (const { id, position } of keys)
      steps.push({ key: { kind, id, locale }, at: { kind, part: name, after: [...position] } });
    if (keys.length === room) return { steps, next: steps.at(-1)?.at };
  }
  return { steps, next: undefined };
}

const START: SyncWalk = { kind: 'entry', part: '', after: [] };

const momentOf = ({ snapshot, at, cluster }: ReadMoment): SyncMoment => ({ snapshot, at, cluster });

/** What is to be read again after these changes, beside the documents that they name. */
function scopeOf(known: SyncScope | undefined, changes: readonly SyncChange[]): SyncScope | undefined {
  const types = changes.filter(({ kind }) => kind === 'type').map(({ id }) => id);
  const isWhole = changes.some(({ kind }) => kind === 'site');
  const left = changes.flatMap(({ kind, locale }) => (kind === 'locale' && locale !== null ? [locale] : []));
  if (types.length + left.length === 0 && !isWhole) return known;
  const all = [...new Set([...(known?.types ?? []), ...types])];
  return {
    types: isWhole || known?.types === null || all.length > MOST_TYPES ? null : all,
    left: [...new Set([...(known?.left ?? []), ...left])],
  };
}

const isDocument = (change: SyncChange): change is SyncChange & SyncKey =>
  (order as readonly string[]).includes(change.kind);

/** One call of a sync. */
class SyncCall {
  constructor(
    private readonly sync: SyncRead,
    private readonly parts: ItemParts,
    private readonly limit: number,
  ) {}

  /** All content, then what has changed since this moment. */
  async first(): Promise<{ items: SyncItem[]; state: SyncState; hasMore: boolean }> {
    const moment = await this.sync.source.now();
    const state = { since: momentOf(moment), scope: EVERYTHING, walk: START };
    // What changes the catalog between it and the moment would be noted before, and not be known here.
    if (moment.revision !== this.sync.read.catalog.data.revision) return { items: [], state, hasMore: true };
    const page = await this.walk(state);
    return { ...page, hasMore: page.state.walk !== undefined };
  }

  async walk({
    since,
    scope = EVERYTHING,
    walk = START,
  }: SyncState): Promise<{ items: SyncItem[]; state: SyncState; hasMore: boolean }> {
    const parts = { ...this.parts, left: scope.left };
    const { steps, next } = await stepsOf(parts, { scope, walk, limit: this.limit });
    const { items, last, isOpen } = await fill(parts, steps);
    const place = isOpen ? next : last?.at;
    const state = place === undefined ? { since } : { since, scope, walk: place };
    return { items, state, hasMore: true };
  }

  /** @throws AppError 410 `sync_cursor_expired` for a cursor of another history of the database */
  async changes(state: SyncState): Promise<{ items: SyncItem[]; state: SyncState; hasMore: boolean }> {
    const { since } = state;
    const until = state.until ?? momentOf(await this.sync.source.now());
    if (until.cluster !== since.cluster) throw new AppError('sync_cursor_expired');
    const found = await this.sync.source.changes({
      siteId: this.parts.site.id,
      since: since.snapshot,
      until: until.snapshot,
      after: state.after,
      limit: this.limit + 1,
    });
    const page = found.slice(0, this.limit);
    const steps = page
      .filter(isDocument)
      .map(({ kind, id, locale, at }) => ({ key: { kind, id, locale }, at }));
    const { items, last, isOpen } = await fill(this.parts, steps);
    const after = isOpen ? page.at(-1)?.at : last?.at;
    const isDone = isOpen && found.length <= this.limit;
    const scope = scopeOf(state.scope, page);
    if (!isDone && after !== undefined)
      return { items, state: { since, until, scope, after: [...after] }, hasMore: true };
    // What came while the pages of a long stretch were read follows at once.
    if (scope === undefined) return { items, state: { since: until }, hasMore: state.until !== undefined };
    return { items, state: { since: until, scope, walk: START }, hasMore: true };
  }
}

/**
 * Returns all published content of a site in pages, then its changes (rule publication/sync).
 * @throws AppError 404 `site_not_found`; 410 `sync_cursor_expired`; 422 for a cursor that was not issued to the reader
 */
export async function readSync(
  sync: SyncRead,
  { siteSlug, cursor, limit }: InputOf<typeof deliveryReads.sync>,
): Promise<SyncPage> {
  const { read, source, cursors, isPreview } = sync;
  const site = siteOf(read, siteSlug);
  const environmentId = read.catalog.data.environment.id;
  const reader = { environmentId, siteId: site.id, isPreview, locales: site.previewLocales ?? null };
  const call = new SyncCall(sync, { read, source, site, left: [] }, limit);
  const known = cursor === undefined ? undefined : cursors.read(reader, cursor);
  const page = await turn(call, known, sync.clock().getTime() / 1000);
  return {
    data: page.items,
    meta: { nextCursor: cursors.issue(reader, page.state), hasMore: page.hasMore },
  };
}

const DAY_SECONDS = 86_400;

function turn(call: SyncCall, state: SyncState | undefined, now: number): ReturnType<SyncCall['first']> {
  if (state === undefined) return call.first();
  if (now - state.since.at > limits.syncDays * DAY_SECONDS) throw new AppError('sync_cursor_expired');
  return state.walk === undefined ? call.changes(state) : call.walk(state);
}
