import { useSyncExternalStore } from 'react';

/** An upload that this tab goes on with after the page was loaded again. */
export interface KeptUpload {
  /** Of the upload in the service. */
  readonly id: string;
  readonly projectSlug: string;
  readonly environment: string;
  readonly name: string;
  readonly size: number;
  /** Of the file, in milliseconds: another version of the file is another file. */
  readonly lastModified: number;
}

const KEY = 'headwater.uploads';

function keptUploads(): readonly KeptUpload[] {
  const text = sessionStorage.getItem(KEY);
  return text === null ? [] : (JSON.parse(text) as KeptUpload[]);
}

const write = (kept: readonly KeptUpload[]): void => sessionStorage.setItem(KEY, JSON.stringify(kept));

export function keepUpload(upload: KeptUpload): void {
  write([...keptUploads().filter(({ id }) => id !== upload.id), upload]);
}

export function forgetUpload(id: string): void {
  write(keptUploads().filter((kept) => kept.id !== id));
}

export const isSameFile = (
  kept: Pick<KeptUpload, 'name' | 'size' | 'lastModified'>,
  { name, size, lastModified }: File,
): boolean => kept.name === name && kept.size === size && kept.lastModified === lastModified;

/**
 * `waiting`: for another upload or for the connection. `interrupted`: the page was loaded again, and the file has to
 * be chosen again. `known`: the project already had the file.
 */
type UploadStatus = 'waiting' | 'sending' | 'interrupted' | 'done' | 'known' | 'failed';

export interface Upload {
  readonly key: number;
  readonly projectSlug: string;
  readonly environment: string;
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
  readonly folderId: string | undefined;
  /** Bytes that have arrived. */
  readonly arrived: number;
  readonly status: UploadStatus;
  /** Why it failed. */
  readonly message: string;
  /** In the service, once it has started. */
  readonly id: string | undefined;
  /** Once it has ended well. */
  readonly assetId: string | undefined;
}

let lastKey = 0;

export const newUpload = (given: Partial<Upload> & Pick<Upload, 'projectSlug' | 'environment'>): Upload => ({
  key: (lastKey += 1),
  name: '',
  size: 0,
  lastModified: 0,
  folderId: undefined,
  arrived: 0,
  status: 'waiting',
  message: '',
  id: undefined,
  assetId: undefined,
  ...given,
});

let uploads: readonly Upload[] = keptUploads().map((kept) => newUpload({ ...kept, status: 'interrupted' }));
const listeners = new Set<() => void>();

export const currentUploads = (): readonly Upload[] => uploads;

export function setUploads(next: readonly Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

export function changeUpload(key: number, change: Partial<Upload>): void {
  setUploads(uploads.map((upload) => (upload.key === key ? { ...upload, ...change } : upload)));
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The uploads of this tab, which go on while other screens are shown. */
export const useUploads = (): readonly Upload[] => useSyncExternalStore(subscribe, currentUploads);
