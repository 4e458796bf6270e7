import { Readable } from 'node:stream';
import type { Warning } from '../../../../contracts/envelopes.js';
import { limits } from '../../../../contracts/limits.js';
import type { media } from '../../../../contracts/management/media.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { MediaAsset } from '../../../../contracts/resources/media-asset.js';
import type { FileInput } from '../../../../contracts/resources/media-file.js';
import type { RunPart, UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { FolderRepository } from '../folders/folder.repository.js';
import { assetLocaleOf } from '../asset-locale.js';
import type { AssetServices } from '../asset-urls.js';
import type { UploadQuota } from '../shared/open-upload.repository.js';
import { receiveRequest } from '../shared/receive-request.js';
import type { ReceivedStoredFile } from '../stored-asset.js';
import { newProperties, withInput, type AssetRequest } from './asset-input.js';
import { authorizeNewAsset, registerFile, type NewAsset } from './register-file.js';
import { notApplied } from './not-applied.js';
import { showAsset } from './show-asset.js';

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
    ...{ quota, size },
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
