import {
  errorType,
  failureOfStatus,
  type SearchEngine,
} from '../../../../infrastructure/search/search-engine.js';
import type { EngineDocument } from './engine-documents.js';

/** What one request sends. */
const BYTES = 4 * 1024 * 1024;
const ITEMS = 500;
/** A newer write was there before. */
const CONFLICT = 409;
const NOT_FOUND = 404;

export interface Bulk {
  /** Alias of the index. */
  readonly alias: string;
  /** Raised with every write of an entry: older ones that come later are refused. */
  readonly version: string;
  readonly documents: readonly EngineDocument[];
  readonly removed: readonly string[];
  /** Whether searches see the changes before the writer continues. */
  readonly isSeen: boolean;
}

interface BulkItem {
  readonly status: number;
  readonly error?: object;
  readonly result?: string;
}

function* actionsOf({ version, documents, removed }: Bulk): Generator<string> {
  const facts = { version: Number(version), version_type: 'external' };
  for (const { id, json } of documents)
    yield `${JSON.stringify({ index: { _id: id, ...facts, require_alias: true } })}\n${json}\n`;
  for (const id of removed)
    yield `${JSON.stringify({ delete: { _id: id, ...facts, require_alias: true } })}\n`;
}

/** Lines of several requests. */
function* portionsOf(bulk: Bulk): Generator<string> {
  let [lines, bytes, items] = ['', 0, 0];
  for (const action of actionsOf(bulk)) {
    const size = Buffer.byteLength(action);
    if (items > 0 && (bytes + size > BYTES || items === ITEMS)) {
      yield lines;
      [lines, bytes, items] = ['', 0, 0];
    }
    lines += action;
    bytes += size;
    items += 1;
  }
  if (items > 0) yield lines;
}

/** The engine does not accept a document, whatever is tried again. */
export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused';
}

/** @throws EngineFailure if an item can be tried again, else DocumentRefused */
function checkItems(items: readonly BulkItem[]): void {
  const failures = items
    .filter(({ status, error }) => status >= 300 && status !== CONFLICT && !(status === NOT_FOUND && !error))
    .map(({ status, error }) => failureOfStatus(status, errorType({ error })));
  const passing =
    failures.find(({ kind }) => kind === 'unavailable') ?? failures.find(({ kind }) => kind === 'missing');
  if (passing !== undefined) throw passing;
  if (failures[0] !== undefined) throw new DocumentRefused(failures[0].reason);
}

/**
 * Writes documents in requests of bounded size.
 * @throws EngineFailure
 * @throws DocumentRefused after the others of its request were written
 */
export async function writeBulk(
  engine: SearchEngine,
  bulk: Bulk,
  keepOpen: () => Promise<void>,
): Promise<void> {
  const path = `/${bulk.alias}/_bulk?refresh=${String(bulk.isSeen)}`;
  for (const lines of portionsOf(bulk)) {
    const answer = await engine.send({ method: 'POST', path, body: lines });
    const { items = [] } = answer as { items?: readonly Readonly<Record<string, BulkItem>>[] };
    checkItems(items.flatMap((item) => Object.values(item)));
    await keepOpen();
  }
}
