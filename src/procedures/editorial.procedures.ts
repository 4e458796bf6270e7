import { translations as translationsContracts } from '../../contracts/editorial/translations/translations.contract.js';
import {
  getTranslationStats,
  getTranslation,
  listTranslations,
  markTranslationStale,
  updateTranslation,
} from '../features/editorial/translations/translations.js';
import { exportTranslation } from '../features/editorial/translations/exchange/export-translation.js';
import {
  importTranslation,
  suggestTranslation,
} from '../features/editorial/translations/exchange/import-translation.js';
import { getExport, getImport } from '../features/editorial/translations/bulk/jobs.js';
import { startExport, startImport } from '../features/editorial/translations/bulk/start-job.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const translations = bind(translationsContracts, {
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
