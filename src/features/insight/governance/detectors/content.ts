import { StorageFailure, type MediaStorage } from '../../../../infrastructure/storage/media-storage.js';
import {
  AssetScanRepository,
  type ScannedAsset,
  TranslationScanRepository,
} from './content-scan.repository.js';
import type { Detector } from './detector.js';
import { reviewFinding } from './reviews.js';

const FIRST = '00000000-0000-0000-0000-000000000000';
/** Questions to the storage at once. */
const AT_ONCE = 20;

async function missingOf(assets: readonly ScannedAsset[], storage: MediaStorage): Promise<ScannedAsset[]> {
  const missing: ScannedAsset[] = [];
  for (let start = 0; start < assets.length; start += AT_ONCE) {
    const some = assets.slice(start, start + AT_ONCE);
    const heads = await Promise.all(some.map(({ storageKey }) => storage.head(storageKey)));
    missing.push(...some.filter((_, index) => heads[index] === undefined));
  }
  return missing;
}

/** An asset whose file is not in the storage. Each analysis looks at the next assets; an unavailable storage tells nothing. */
export const missingAssetFile: Detector = {
  name: 'missing_asset_file',
  kind: 'condition',
  takesTurns: true,
  find: async (run, { known, place, until, limit }, { storage }) => {
    const query = { known, after: place ?? FIRST, limit };
    const assets = await run((work) => work.use(AssetScanRepository).next(query));
    try {
      const missing = await missingOf(assets, storage);
      return {
        place: assets.at(-1)?.id ?? FIRST,
        findings: missing.map(({ id, fileName, checksum }) => ({
          subjectType: 'asset',
          subjectId: id,
          subjectName: fileName,
          severity: 'critical',
          message: `The file of "${fileName}" is missing in the storage.`,
          evidence: { fileName, checksum },
          fingerprint: checksum,
          count: 1,
          seenAt: until,
        })),
      };
    } catch (error) {
      if (error instanceof StorageFailure) return undefined;
      throw error;
    }
  },
};

/** A translation that is live although its source was published with other content since. */
export const staleTranslationLive: Detector = {
  name: 'stale_translation_live',
  kind: 'condition',
  find: async (run, scan) => {
    const entries = await run((work) => work.use(TranslationScanRepository).staleAndLive(scan));
    const findings = entries.map((entry) =>
      reviewFinding(entry, {
        severity: 'warning',
        message: `Translations of "${entry.title}" are live and no longer match their source.`,
        seenAt: scan.until,
      }),
    );
    return { findings };
  },
};
