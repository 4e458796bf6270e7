import { clientIn } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { refreshMedia } from '../media-queries.js';
import {
  forgetUpload,
  isSameFile,
  keepUpload,
  changeUpload,
  currentUploads,
  newUpload,
  setUploads,
  type Upload,
} from './upload-store.js';
import { announced, sendBytes, untilAnswered, type Sending, type StartedUpload } from './send-file.js';

export interface Destination {
  readonly projectSlug: string;
  readonly environment: string;
  readonly folderId: string | undefined;
}

interface Job {
  readonly file: File;
  readonly abort: AbortController;
}

/** By the key of the upload. */
const jobs = new Map<number, Job>();
let isRunning = false;

/** The upload that was interrupted, unless it has expired. */
async function goneOnWith({ projectSlug, environment, id }: Upload): Promise<StartedUpload | undefined> {
  if (id === undefined) return undefined;
  try {
    return (await clientIn(environment).mediaUploads.get.query({ projectSlug, id })).data;
  } catch (error) {
    if (failureOf(error).code !== 'media_upload_not_found') throw error;
    forgetUpload(id);
    return undefined;
  }
}

async function started(upload: Upload, file: File): Promise<StartedUpload> {
  const { projectSlug, environment, folderId } = upload;
  const { mediaUploads } = clientIn(environment);
  const former = await goneOnWith(upload);
  if (former !== undefined) return former;
  const { data } = await mediaUploads.create.mutate({
    projectSlug,
    ...announced(file),
    ...(folderId !== undefined && { folderId }),
  });
  const { name, size, lastModified } = file;
  keepUpload({ id: data.id, projectSlug, environment, name, size, lastModified });
  changeUpload(upload.key, { id: data.id });
  return data;
}

async function run(upload: Upload, { file, abort: { signal } }: Job): Promise<void> {
  const { key, projectSlug, environment } = upload;
  const sending: Sending = {
    projectSlug,
    environment,
    file,
    signal,
    onProgress: (arrived) => changeUpload(key, { arrived, status: 'sending' }),
    onWaiting: () => changeUpload(key, { status: 'waiting' }),
  };
  changeUpload(key, { status: 'sending', message: '' });
  try {
    const data = await untilAnswered(() => started(upload, file), sending);
    sending.onProgress(data.offset ?? 0);
    await sendBytes(data, sending);
    const complete = () => clientIn(environment).mediaUploads.complete.mutate({ projectSlug, id: data.id });
    const asset = await untilAnswered(complete, sending);
    forgetUpload(data.id);
    const status = asset.meta?.duplicate === true ? 'known' : 'done';
    changeUpload(key, { status, arrived: file.size, assetId: asset.data.id });
  } catch (error) {
    if (!signal.aborted) changeUpload(key, { status: 'failed', message: failureOf(error).message });
  }
}

/** One after the other: a slow connection is not shared. */
async function runAll(): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  for (;;) {
    const upload = currentUploads().find(({ key, status }) => status === 'waiting' && jobs.has(key));
    const job = upload === undefined ? undefined : jobs.get(upload.key);
    if (upload === undefined || job === undefined) break;
    await run(upload, job);
    jobs.delete(upload.key);
    void refreshMedia();
  }
  isRunning = false;
}

/**
 * Files that were interrupted are gone on with.
 * @returns the keys of the uploads
 */
export function uploadFiles(
  files: readonly File[],
  { projectSlug, environment, folderId }: Destination,
): number[] {
  const keys: number[] = [];
  for (const file of files) {
    const known = currentUploads().find(
      (upload) =>
        (upload.status === 'interrupted' || upload.status === 'failed') &&
        [upload.projectSlug, upload.environment].join() === [projectSlug, environment].join() &&
        isSameFile(upload, file),
    );
    const { name, size, lastModified } = file;
    const upload = known ?? newUpload({ projectSlug, environment, folderId, name, size, lastModified });
    if (known === undefined) setUploads([...currentUploads(), upload]);
    else changeUpload(upload.key, { status: 'waiting' });
    jobs.set(upload.key, { file, abort: new AbortController() });
    keys.push(upload.key);
  }
  void runAll();
  return keys;
}

/** Takes an upload off the list, with what has arrived of it. */
export async function discardUpload({ key, id, status, projectSlug, environment }: Upload): Promise<void> {
  jobs.get(key)?.abort.abort();
  jobs.delete(key);
  setUploads(currentUploads().filter((upload) => upload.key !== key));
  if (id === undefined || status === 'done' || status === 'known') return;
  forgetUpload(id);
  // What the service does not delete now, it deletes when the upload expires.
  await clientIn(environment)
    .mediaUploads.abort.mutate({ projectSlug, id })
    .catch(() => undefined);
}
