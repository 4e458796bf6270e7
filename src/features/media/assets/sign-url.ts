import type { media } from '../../../../contracts/management/media.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { MediaTransform } from '../../../../contracts/resources/media-transform.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { makingKey, withinKey } from '../../shared/index.js';
import type { AssetAddress } from '../asset-urls.js';
import { AssetRepository } from '../asset.repository.js';

interface SigningServices {
  readonly urls: {
    signed(
      file: AssetAddress,
      use: {
        readonly expiresAt: Date;
        readonly keyId: string | null;
        readonly transform?: MediaTransform | undefined;
      },
    ): string;
  };
}

/** The URL is a credential for the file, so the record names its creator. */
export async function signUrl(
  work: UnitOfWork,
  { projectSlug, id, expiresIn, transform }: InputOf<typeof media.signUrl>,
  { urls }: SigningServices,
): Promise<{ data: { url: string; expiresAt: string } }> {
  const assets = work.use(AssetRepository);
  const asset = await assets.find(id);
  const end = new Date((Math.floor(work.now.getTime() / 1000) + expiresIn) * 1000);
  const expiresAt = withinKey(work.scope, end);
  const { checksum, fileName } = asset;
  const file = { projectSlug, id: asset.id, checksum, fileName };
  const url = urls.signed(file, { expiresAt, keyId: makingKey(work.scope), transform });
  assets.noteSigned(asset, { expiresAt: expiresAt.toISOString(), transform: transform ?? null });
  return { data: { url, expiresAt: expiresAt.toISOString() } };
}
