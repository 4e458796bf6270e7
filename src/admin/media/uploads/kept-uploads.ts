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

export function keptUploads(): readonly KeptUpload[] {
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
