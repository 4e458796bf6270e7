import { mediaUploads as contracts } from '../../contracts/management/media-uploads.contract.js';
import { abortUpload } from '../features/media/uploads/abort-upload.js';
import { appendUpload } from '../features/media/uploads/append-upload.js';
import { completeUpload } from '../features/media/uploads/complete-upload.js';
import { createUpload } from '../features/media/uploads/create-upload.js';
import { getUpload } from '../features/media/uploads/find-upload.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';
import type { Services } from './services.js';

const uploadServices = ({ media, baseUrl }: Services) => ({ ...media, baseUrl });

export const mediaUploads = bind(contracts, {
  create: mutation(createUpload, { with: uploadServices }),
  get: query(getUpload, { with: uploadServices }),
  append: mutation(appendUpload, { inParts: true, with: uploadServices }),
  complete: mutation(completeUpload, { inParts: true, with: uploadServices }),
  abort: mutation(abortUpload, { inParts: true, with: uploadServices }),
});
