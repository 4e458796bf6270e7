import type { Detector } from './detector.js';
import { reviewFinding } from './review-finding.js';
import { TranslationScanRepository } from './translation-scan.repository.js';

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
