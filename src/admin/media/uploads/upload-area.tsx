import { useProject } from '../../api/project-data.js';
import { t, formatBytes } from '../../texts/index.js';
import { DropArea } from '../../ui/drop-area.js';
import { FileButton } from '../../ui/file-button.js';
import { Icon } from '../../ui/icon.js';
import { notifyFailure } from '../../ui/toasts.js';
import { refreshMedia } from '../media-queries.js';
import { uploadFiles, discardUpload } from './upload-queue.js';
import { useUploads, type Upload } from './upload-store.js';
import { IconButton } from '../../ui/icon-button.js';
import { AssetLink } from '../library/asset-link.js';
import { client } from '../../api/client.js';
import { everyItem, PAGE_SIZE } from '../../api/every-item.js';

/** A file with the names of the folders around it, the outermost first. */
interface PlacedFile {
  readonly file: File;
  readonly folders: readonly string[];
}

/** Files that systems write into folders by themselves. */
const isHidden = (name: string): boolean => name.startsWith('.') || name === 'Thumbs.db';

/** Files of a chosen folder, whose path the browser writes as `folder/inner/name`. */
const chosenFiles = (files: readonly File[]): PlacedFile[] =>
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
async function droppedFiles({ items, files }: DataTransfer): Promise<PlacedFile[]> {
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
async function byFolder(
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

const shareOf = ({ arrived, size }: Upload): number => (size === 0 ? 0 : arrived / size);

function UploadState({ upload }: { readonly upload: Upload }) {
  const { status, message } = upload;
  if (status === 'failed') return <span className="problem">{message}</span>;
  if (status === 'sending' || status === 'waiting')
    return (
      <>
        <progress aria-label={upload.name} max={1} value={shareOf(upload)} />
        <span className="small soft">
          {status === 'waiting' ? t('upload.waiting') : `${String(Math.round(shareOf(upload) * 100))} %`}
        </span>
      </>
    );
  return <span className="small soft">{t(`upload.${status}`)}</span>;
}

function UploadRow({ upload, isLinked }: { readonly upload: Upload; readonly isLinked: boolean }) {
  const { name, size, assetId, status } = upload;
  return (
    <li className="row upload" data-status={status}>
      <span className="grow clip">
        {assetId === undefined || !isLinked ? (
          name
        ) : (
          <AssetLink asset={{ id: assetId }} className="row-link">
            {name}
          </AssetLink>
        )}{' '}
        <span className="soft small">{formatBytes(size)}</span>
      </span>
      <UploadState upload={upload} />
      <IconButton
        icon="close"
        label={t(assetId === undefined ? 'upload.discard' : 'upload.hide', { name })}
        onClick={() => void discardUpload(upload)}
      />
    </li>
  );
}

const isRunning = ({ status }: Upload): boolean => status === 'sending' || status === 'waiting';

interface ListProps {
  readonly uploads: readonly Upload[];
  /** Whether the names open the files. */
  readonly isLinked?: boolean;
}

/** What the uploads do. */
export function UploadList({ uploads, isLinked = true }: ListProps) {
  const ended = uploads.filter(({ status }) => status === 'done' || status === 'known').length;
  const dismissed = uploads.filter((upload) => !isRunning(upload));
  return (
    <>
      <p className="hidden-text" role="status">
        {ended > 0 && t('upload.ended', { count: ended })}
      </p>
      {uploads.some(({ status }) => status === 'interrupted') && (
        <p className="notice">{t('upload.interruptedHint')}</p>
      )}
      {uploads.length > 1 && (
        <p className="row">
          <span className="soft small grow">{t('upload.progress', { ended, count: uploads.length })}</span>
          {dismissed.length > 0 && (
            <button
              className="button"
              onClick={() => void Promise.all(dismissed.map(discardUpload))}
              type="button"
            >
              {t('upload.hideAll')}
            </button>
          )}
        </p>
      )}
      {uploads.length > 0 && (
        <ul className="uploads">
          {uploads.map((upload) => (
            <UploadRow isLinked={isLinked} key={upload.key} upload={upload} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Files and folders are chosen or dropped; what they do is listed. */
export function UploadArea({ folderId }: { readonly folderId: string | undefined }) {
  const { slug: projectSlug, environment, may } = useProject();
  const uploads = useUploads().filter(
    (upload) => upload.projectSlug === projectSlug && upload.environment === environment,
  );
  const mayCreateFolders = may('mediaFolders.create');
  const start = (files: readonly File[]): void =>
    void uploadFiles([...files], { projectSlug, environment, folderId });
  const startPlaced = async (read: Promise<readonly PlacedFile[]>): Promise<void> => {
    try {
      const groups = await byFolder(await read, { projectSlug, folderId });
      for (const [folder, files] of groups)
        uploadFiles(files, { projectSlug, environment, folderId: folder });
    } catch (error) {
      notifyFailure(error);
    }
    void refreshMedia();
  };
  return (
    <DropArea
      label={t('media.upload')}
      onFiles={start}
      {...(mayCreateFolders && {
        onTransfer: (transfer: DataTransfer) => void startPlaced(droppedFiles(transfer)),
      })}
    >
      <div className="row">
        <FileButton inputLabel={t('upload.choose')} isMultiple isPrimary onFiles={start}>
          <Icon name="up" />
          {t('media.upload')}
        </FileButton>
        {mayCreateFolders && (
          <FileButton
            inputLabel={t('upload.chooseFolder')}
            isFolder
            onFiles={(files) => void startPlaced(Promise.resolve(chosenFiles(files)))}
          >
            <Icon name="folder" />
            {t('upload.folder')}
          </FileButton>
        )}
        <span className="soft wide-only">{t('upload.dropHint')}</span>
      </div>
      <UploadList uploads={uploads} />
    </DropArea>
  );
}
