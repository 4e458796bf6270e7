import { clientIn, type Outputs } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';

/** @throws Error if the file was changed or removed after it was chosen */
export function base64Of(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error(reader.error?.message));
    reader.readAsDataURL(bytes);
  });
}

export type StartedUpload = Outputs['mediaUploads']['create']['data'];
type FormTarget = Extract<NonNullable<StartedUpload['upload']>, { method: 'POST' }>;

/** What one call carries, in Base64, beside the rest of the call: the service reads 1 MiB. */
const CHUNK_BYTES = 640 * 1024;

/** Without news from the browser, a lost connection is tried again after this time. */
const PAUSE_MILLISECONDS = 10_000;

export interface Sending {
  readonly environment: string;
  readonly projectSlug: string;
  readonly file: File;
  readonly signal: AbortSignal;
  /** Bytes that have arrived. */
  readonly onProgress: (bytes: number) => void;
  readonly onWaiting: () => void;
}

/** The service was not reached, or refuses for now. */
const temporary = new Set([
  'offline',
  'rate_limit_exceeded',
  'service_unavailable',
  'storage_unavailable',
  'upload_in_progress',
]);

/** Until the connection is back, or a pause has passed. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer);
      removeEventListener('online', go);
      signal.removeEventListener('abort', go);
      resolve();
    };
    const timer = setTimeout(go, PAUSE_MILLISECONDS);
    addEventListener('online', go);
    signal.addEventListener('abort', go);
  });
}

/** Tries until the service answers for good. */
export async function untilAnswered<T>(
  work: () => Promise<T>,
  { signal, onWaiting }: Pick<Sending, 'signal' | 'onWaiting'>,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !temporary.has(failureOf(error).code)) throw error;
      onWaiting();
      await pause(signal);
    }
  }
}

/** Only what has not arrived is sent; after a failure the service says how much that is. */
async function sendChunks(started: StartedUpload, sending: Sending): Promise<void> {
  const { projectSlug, file, environment, onProgress, signal } = sending;
  const { mediaUploads } = clientIn(environment);
  const call = { projectSlug, id: started.id };
  let arrived: number | undefined = started.offset ?? 0;
  const next = async (): Promise<number> => {
    const offset = arrived ?? (await mediaUploads.get.query(call)).data.offset ?? 0;
    arrived = undefined;
    if (offset >= file.size) return offset;
    const content = await base64Of(file.slice(offset, offset + CHUNK_BYTES));
    const { data } = await mediaUploads.append.mutate({ ...call, offset, content }, { signal });
    return data.offset ?? offset;
  };
  while (arrived === undefined || arrived < file.size) {
    arrived = await untilAnswered(next, sending);
    onProgress(arrived);
  }
}

/** To a bucket, in one piece. `fetch` reports no progress. */
function sendForm({ url, fields }: FormTarget, { file, signal, onProgress }: Sending): Promise<void> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size));
    request.onerror = () => reject(new TypeError('The connection broke.'));
    request.onabort = () => reject(new Error('aborted'));
    request.onload = () => {
      if (request.status < 300) resolve();
      else reject(new Error(`The storage refused the file: ${String(request.status)}`));
    };
    signal.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

/** What the service knows of a file before its bytes arrive. */
export const announced = ({ name, size, type }: File) => ({
  fileName: name,
  size,
  mimeType: type || 'application/octet-stream',
});

/** Sends the bytes of a started upload, however often the connection is lost. */
export async function sendBytes(started: StartedUpload, sending: Sending): Promise<void> {
  const target = started.upload;
  if (target === null) return;
  if (target.method === 'PATCH') await sendChunks(started, sending);
  else await untilAnswered(() => sendForm(target, sending), sending);
}
