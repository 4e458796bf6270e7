import { client } from '../../api/client.js';
import { everyItem, PAGE_SIZE } from '../../api/every-item.js';

/** A file with the names of the folders around it, the outermost first. */
export interface PlacedFile {
  readonly file: File;
  readonly folders: readonly string[];
}

/** Files that systems write into folders by themselves. */
const isHidden = (name: string): boolean => name.startsWith('.') || name === 'Thumbs.db';

/** Files of a chosen folder, whose path the browser writes as `folder/inner/name`. */
export const chosenFiles = (files: readonly File[]): PlacedFile[] =>
  files
    .map((file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) }))
    .filter(({ file, folders }) => folders.length === 0 || !isHidden(file.name));

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** Browsers return some entries at a time, and none at the end. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

async function filesIn(entry: FileSystemEntry, folders: readonly string[]): Promise<PlacedFile[]> {
  if (!isFolder(entry)) return [{ file: await fileOf(entry as FileSystemFileEntry), folders }];
  const inside = (await entriesIn(entry)).filter(({ name }) => !isHidden(name));
  const found = await Promise.all(inside.map((one) => filesIn(one, [...folders, entry.name])));
  return found.flat();
}

/** What was dropped, with the content of folders. Call it during the event: what it carries is unreadable afterwards. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<PlacedFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (!entries.some(isFolder)) return [...files].map((file) => ({ file, folders: [] }));
  return (await Promise.all(entries.map((entry) => filesIn(entry, [])))).flat();
}

interface Library {
  readonly projectSlug: string;
  /** In which the files are put; undefined: outside of any folder. */
  readonly folderId: string | undefined;
}

/** The files by the folder of the library that they go into. Folders of the same names are used; others are created. */
export async function byFolder(
  placed: readonly PlacedFile[],
  { projectSlug, folderId }: Library,
): Promise<Map<string | undefined, File[]>> {
  const groups = new Map<string | undefined, File[]>();
  const hasFolders = placed.some(({ folders }) => folders.length > 0);
  const known = hasFolders
    ? await everyItem((page) => client.mediaFolders.list.query({ projectSlug, page, limit: PAGE_SIZE }))
    : [];
  const idOf = async (folders: readonly string[]): Promise<string | undefined> => {
    let parentId = folderId;
    for (const name of folders) {
      let folder = known.find((one) => one.name === name && one.parentId === (parentId ?? null));
      if (folder === undefined) {
        const { data } = await client.mediaFolders.create.mutate({ projectSlug, name, parentId });
        known.push((folder = data));
      }
      parentId = folder.id;
    }
    return parentId;
  };
  for (const { file, folders } of placed) {
    const id = await idOf(folders);
    groups.set(id, [...(groups.get(id) ?? []), file]);
  }
  return groups;
}
