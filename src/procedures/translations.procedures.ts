import { translations as contracts } from '../../contracts/management/translations.contract.js';
import { getTranslationStats } from '../features/translations/get-translation-stats.js';
import { getTranslation } from '../features/translations/get-translation.js';
import { listTranslations } from '../features/translations/list-translations.js';
import { markTranslationStale } from '../features/translations/mark-translation-stale.js';
import { updateTranslation } from '../features/translations/update-translation.js';
import { exportTranslation } from '../features/translations/exchange/export-translation.js';
import { importTranslation } from '../features/translations/exchange/import-translation.js';
import { suggestTranslation } from '../features/translations/exchange/suggest-translation.js';
import { getExport } from '../features/translations/bulk/get-export.js';
import { getImport } from '../features/translations/bulk/get-import.js';
import { startExport } from '../features/translations/bulk/start-export.js';
import { startImport } from '../features/translations/bulk/start-import.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const translations = bind(contracts, {
  list: query(listTranslations),
  stats: query(getTranslationStats),
  get: query(getTranslation),
  update: mutation(updateTranslation),
  export: query(exportTranslation),
  import: mutation(importTranslation, { with: ({ markup }) => markup }),
  suggest: mutation(suggestTranslation, {
    inParts: true,
    lock: 'content',
    with: ({ translator, markup }) => ({ translator, markup }),
  }),
  startExport: mutation(startExport, { lock: 'none' }),
  getExport: query(getExport, { with: ({ media }) => media }),
  startImport: mutation(startImport, { inParts: true, with: ({ media }) => media }),
  getImport: query(getImport),
  markStale: mutation(markTranslationStale),
});
