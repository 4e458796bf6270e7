import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { media } from '../../../../contracts/management/media.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { MediaVersion } from '../../../../contracts/resources/media-life.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { AssetRepository } from '../asset.repository.js';
import { AssetVersionRepository } from './asset-version.repository.js';

export async function listAssetVersions(
  work: UnitOfWork,
  input: InputOf<typeof media.listVersions>,
): Promise<{ data: MediaVersion[]; meta: PageMeta }> {
  const asset = await work.use(AssetRepository).find(input.id);
  const versions = work.use(AssetVersionRepository);
  const { limit, page } = input;
  const { items, total } = await versions.list(asset.id, { limit, offset: (page - 1) * limit });
  const current = await versions.current(asset.id);
  const data = items.map(({ version, file, createdAt, createdBy }) => ({
    versionNum: version,
    isCurrent: version === current,
    fileName: file.fileName,
    mimeType: file.mimeType,
    size: file.size,
    width: file.width,
    height: file.height,
    checksum: file.checksum,
    createdAt: createdAt.toISOString(),
    createdBy,
  }));
  return listEnvelope({ items: data, total }, input);
}
