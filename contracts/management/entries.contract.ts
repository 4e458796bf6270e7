import { entryBatch } from './entries/batch.contract.js';
import { entryBulk } from './entries/bulk.contract.js';
import { entryComments } from './entries/comments.contract.js';
import { entryCopies } from './entries/copies.contract.js';
import { entryDrafts } from './entries/drafts.contract.js';
import { entryPreview } from './entries/preview.contract.js';
import { entryPublication } from './entries/publication.contract.js';
import { entryReferences } from './entries/references.contract.js';
import { entrySchedules } from './entries/schedules.contract.js';
import { entryTools } from './entries/tools.contract.js';
import { entryValidation } from './entries/validation.contract.js';
import { entryVersions } from './entries/versions.contract.js';
import { entryWorkflow } from './entries/workflow.contract.js';

export const entries = {
  ...entryDrafts,
  ...entryPublication,
  ...entrySchedules,
  ...entryCopies,
  ...entryPreview,
  ...entryValidation,
  ...entryReferences,
  ...entryVersions,
  ...entryWorkflow,
  ...entryComments,
  ...entryBulk,
  ...entryBatch,
  ...entryTools,
};
