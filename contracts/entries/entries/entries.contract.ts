import { entryBatch } from './batch.contract.js';
import { entryBlocks } from './blocks.contract.js';
import { entryBulk } from '../bulk/bulk.contract.js';
import { entryComments } from '../comments/comments.contract.js';
import { entryCopies } from './copies.contract.js';
import { entryDrafts } from './drafts.contract.js';
import { entryPreview } from '../previews/preview.contract.js';
import { entryPresence } from './presence.contract.js';
import { entryPublication } from './publication.contract.js';
import { entryReferences } from './references.contract.js';
import { entrySchedules } from '../schedules/schedules.contract.js';
import { entryTools } from './tools.contract.js';
import { entryValidation } from './validation.contract.js';
import { entryVersions } from './versions.contract.js';
import { entryWorkflow } from './workflow.contract.js';

export const entries = {
  ...entryDrafts,
  ...entryPublication,
  ...entrySchedules,
  ...entryCopies,
  ...entryBlocks,
  ...entryPreview,
  ...entryValidation,
  ...entryReferences,
  ...entryVersions,
  ...entryWorkflow,
  ...entryComments,
  ...entryPresence,
  ...entryBulk,
  ...entryBatch,
  ...entryTools,
};
