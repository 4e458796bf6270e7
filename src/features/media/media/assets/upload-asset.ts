import type { UnitOfWork, RunPart } from '../../../../persistence/work/unit-of-work.js';
import { authorizeSites } from '../asset-rights.js';
import { assetEvent, assetLocaleOf, type AssetServices } from '../asset.presenter.js';
import { writeFirstOverlay, type OverlayChange } from '../overlays/overlays.js';
import type { StoredAsset, StoredFile, ReceivedStoredFile } from '../stored-asset.js';
import { type AssetProperties, type AssetRequest, newProperties, withInput } from './asset-input.js';
import { AssetRepository } from '../asset.repository.js';
import type { Warning } from '../../../../../contracts/envelopes.js';
import type { MediaAsset } from '../../../../../contracts/media/media/media-asset.js';
import { Readable } from 'node:stream';
import { limits } from '../../../../../contracts/limits.js';
import type { media } from '../../../../../contracts/media/media/media.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { FileInput } from '../../../../../contracts/media/media/media-file.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { FolderRepository } from '../folders/folder.repository.js';
import type { UploadQuota } from '../shared/open-upload.repository.js';
import { receiveRequest } from '../shared/file-refusal.js';
import { showAsset } from './show-asset.js';

interface NewAsset {
  readonly properties: AssetProperties;
  readonly locale: string;
  /** Values of the locale. */
  readonly overlay: OverlayChange;
}

/** Checks the right to create an asset on these sites, before its file is read. */
function authorizeNewAsset(work: UnitOfWork, { siteIds }: AssetProperties): void {
  const asset = { siteIds, createdBy: work.scope.actor };
  authorizeSites(work, asset, { action: 'create', added: siteIds });
}

/** An asset of the same file can stand for the new one if it is as visible and on its sites. */
const standsFor =
  ({ siteIds, visibility }: AssetProperties) =>
  (asset: StoredAsset): boolean =>
    asset.visibility === visibility &&
    (asset.siteIds.length === 0 || (siteIds.length > 0 && siteIds.every((id) => asset.siteIds.includes(id))));

/** Creates the asset of a stored file, unless there is one already (rule media/upload). */
async function registerFile(
  work: UnitOfWork,
  file: StoredFile,
  { properties, locale, overlay, isAlwaysNew = false }: NewAsset & { readonly isAlwaysNew?: boolean },
): Promise<{ readonly asset: StoredAsset; readonly isDuplicate: boolean }> {
  authorizeNewAsset(work, properties);
  const assets = work.use(AssetRepository);
  await assets.lockFile(file.sourceChecksum);
  const known = isAlwaysNew
    ? undefined
    : (await assets.findByFile(file.sourceChecksum)).find(standsFor(properties));
  if (known !== undefined) return { asset: known, isDuplicate: true };
  const { actor } = work.scope;
  const asset: StoredAsset = {
    ...file,
    ...properties,
    id: work.newId(),
    version: 1,
    createdAt: work.now,
    createdBy: actor,
    updatedAt: work.now,
    updatedBy: actor,
  };
  await assets.insert(asset, { locale, ...overlay });
  await writeFirstOverlay(work, asset, { locale, change: overlay });
  work.emit(assetEvent('created', asset));
  return { asset, isDuplicate: false };
}

const keys = ['altText', 'title', 'description', 'folderId', 'tags', 'siteIds', 'focalPoint'] as const;

/** Equal for equal values; `null` and nothing at all are equal. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return JSON.stringify([...new Set((value as string[]).map(textOf))].sort());
  const { x, y } = (value ?? {}) as { readonly x?: number; readonly y?: number };
  return JSON.stringify([x ?? null, y ?? null]);
}

/** Ids ignore case. */
function differs(key: (typeof keys)[number], wanted: unknown, present: unknown): boolean {
  const [left, right] = [textOf(wanted), textOf(present)];
  return key === 'folderId' || key === 'siteIds'
    ? left.toLowerCase() !== right.toLowerCase()
    : left !== right;
}

/** What an upload asked for that the asset which existed does not have (rule media/upload). */
function notApplied(request: AssetRequest, asset: MediaAsset): Warning[] {
  return keys
    .filter((key) => request[key] !== undefined && differs(key, request[key], asset[key]))
    .map((key) => ({
      code: 'not_applied',
      message: `The file already was an asset, which keeps its ${key}. Update the asset, or upload with duplicate=create.`,
      path: [key],
    }));
}

type Input = InputOf<typeof media.upload>;

/** A file that arrives. */
interface IncomingFile {
  readonly tenantId: string;
  readonly source: Readable;
  readonly fileName: string;
  readonly declaredType?: string | undefined;
  readonly maximumBytes?: number | undefined;
}

/** Stores and inspects files outside of units of work, which must not wait for networks. */
export interface UploadServices extends AssetServices {
  readonly receiver: { receive(file: IncomingFile): Promise<ReceivedStoredFile> };
  readonly quota: UploadQuota;
}

export interface UploadedAsset {
  readonly data: MediaAsset;
  readonly meta?: { readonly duplicate?: true; readonly warnings?: Warning[] };
}

/** Checks everything that does not need the file. */
export async function planAsset(
  work: UnitOfWork,
  input: AssetRequest,
): Promise<NewAsset & { tenantId: string }> {
  const catalog = await work.use(CatalogRepository).current();
  const locale = assetLocaleOf(catalog, input.locale);
  const properties = withInput(catalog, newProperties, input);
  authorizeNewAsset(work, properties);
  if (properties.folderId !== null) await work.use(FolderRepository).find(properties.folderId, ['folderId']);
  const { altText, title, description } = input;
  const tenantId = catalog.data.tenant.id;
  return { properties, locale, overlay: { altText, title, description }, tenantId };
}

interface NewFile extends Pick<UploadServices, 'urls' | 'quota'> {
  /** At most; undefined if unknown. */
  readonly size?: number | undefined;
  readonly receive: (tenantId: string) => Promise<ReceivedStoredFile>;
}

/** Creates an asset from the file that `receive` stores. */
export function createAsset(
  inPart: RunPart,
  input: AssetRequest,
  { urls, quota, size, receive }: NewFile,
): Promise<UploadedAsset> {
  return receiveRequest(inPart, {
    quota,
    size,
    plan: (work) => planAsset(work, input),
    receive: ({ tenantId }) => receive(tenantId),
    register: (work, file) => registerRequest(work, input, { urls, file }),
  });
}

/** Bytes of a file that has not arrived, at most; undefined if unknown. */
export const announcedSize = (file: FileInput): number | undefined =>
  'open' in file ? file.bytesAtMost() : Buffer.byteLength(file.content, 'base64');

function metaOf({
  isDuplicate,
  warnings,
}: {
  readonly isDuplicate: boolean;
  readonly warnings: readonly Warning[];
}): Pick<UploadedAsset, 'meta'> {
  if (!isDuplicate && warnings.length === 0) return {};
  return {
    meta: {
      ...(isDuplicate && { duplicate: true as const }),
      ...(warnings.length > 0 && { warnings: [...warnings] }),
    },
  };
}

/** Creates the asset of a stored file, unless the project has it. */
export async function registerRequest(
  work: UnitOfWork,
  input: AssetRequest,
  { urls, file }: AssetServices & { readonly file: ReceivedStoredFile },
): Promise<UploadedAsset> {
  const plan = await planAsset(work, input);
  const { warnings, ...stored } = file;
  const { asset, isDuplicate } = await registerFile(work, stored, {
    ...plan,
    isAlwaysNew: input.duplicate === 'create',
  });
  const catalog = await work.use(CatalogRepository).current();
  const data = await showAsset(work, asset, { urls, catalog, locale: plan.locale });
  const notices = isDuplicate ? [...warnings, ...notApplied(input, data)] : warnings;
  return { data, ...metaOf({ isDuplicate, warnings: notices }) };
}

/** Receives the file of an input. */
export async function receiveInput(
  { receiver }: UploadServices,
  file: FileInput,
  tenantId: string,
): Promise<ReceivedStoredFile> {
  const maximumBytes = limits.mediaUploadBytes;
  if (!('open' in file)) {
    const source = Readable.from([Buffer.from(file.content, 'base64')]);
    return receiver.receive({ tenantId, source, fileName: file.fileName, maximumBytes });
  }
  const { fileName, declaredType } = file;
  const source = Readable.from(file.open());
  const stored = await receiver.receive({ tenantId, source, fileName, declaredType, maximumBytes });
  // A body that did not end as it should registers nothing.
  await file.complete;
  return stored;
}

export function uploadAsset(inPart: RunPart, input: Input, services: UploadServices): Promise<UploadedAsset> {
  const { projectSlug: _project, file, ...request } = input;
  const receive = (tenantId: string): Promise<ReceivedStoredFile> => receiveInput(services, file, tenantId);
  const { urls, quota } = services;
  return createAsset(inPart, request, { urls, quota, size: announcedSize(file), receive });
}
