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
import { imports as importsContracts } from '../../contracts/editorial/imports/imports.contract.js';
import {
  cancelImport,
  getImport as getFileImport,
  listImports,
  repeatImport,
  startImport as startFileImport,
} from '../features/editorial/imports/import-jobs.js';

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

export const imports = bind(importsContracts, {
  start: mutation(startFileImport, { inParts: true, with: ({ media }) => media }),
  list: query(listImports),
  get: query(getFileImport, { with: ({ media }) => media }),
  repeat: mutation(repeatImport),
  cancel: mutation(cancelImport),
});
