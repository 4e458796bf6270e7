import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Icon } from '../../ui/icon.js';
import { type Folder, refreshMedia } from '../media-queries.js';
import type { MediaSearch } from './media-search.js';
import { client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { Dialog } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { FolderSelect } from './folder-select.js';

interface FormProps {
  readonly title: string;
  readonly name: string;
  readonly isReadOnly?: boolean;
  readonly onClose: () => void;
  /** @throws when the service refuses */
  readonly onSave: (form: FormData) => Promise<void>;
  readonly children?: ReactNode;
  /** Beside the button that saves. */
  readonly action?: (attempt: (work: () => Promise<void>) => void) => ReactNode;
}

/** Messages of the service are shown in the dialog, which stays open. */
function FolderForm({ title, name, isReadOnly = false, onClose, onSave, children, action }: FormProps) {
  const [message, setMessage] = useState('');
  const attempt = (work: () => Promise<void>): void => {
    work().then(onClose, (error: unknown) => {
      const failure = failureOf(error);
      setMessage(failure.problem);
    });
  };
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          attempt(() => onSave(form));
        }}
      >
        <label className="field">
          <span className="label">{t('media.folderName')}</span>
          <input
            className="input"
            data-focus
            defaultValue={name}
            maxLength={200}
            name="name"
            readOnly={isReadOnly}
            required
          />
        </label>
        {children}
        <p aria-live="polite" className="problem">
          {message}
        </p>
        <div className="actions">
          {action?.(attempt)}
          {!isReadOnly && (
            <button className="button primary" type="submit">
              {t('media.save')}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** Where the library goes when a folder was made or deleted. */
function useGoTo(): (folder: string | null) => void {
  const navigate = useNavigate({ from: '/$project/$environment/media' });
  return (folder) => {
    void refreshMedia();
    void navigate({ search: ({ view, order }) => ({ view, order, folder: folder ?? undefined }) });
  };
}

interface NewProps {
  /** Absent: at the top. */
  readonly parent: Folder | undefined;
  readonly onClose: () => void;
}

function NewFolder({ parent, onClose }: NewProps) {
  const { slug: projectSlug } = useProject();
  const goTo = useGoTo();
  const create = async (form: FormData): Promise<void> => {
    const input = { projectSlug, name: form.get('name') as string, parentId: parent?.id ?? null };
    const { data } = await client.mediaFolders.create.mutate(input);
    notify(t('media.folderCreated', { name: data.name }));
    goTo(data.id);
  };
  return <FolderForm name="" onClose={onClose} onSave={create} title={t('media.newFolder')} />;
}

interface EditProps {
  readonly folder: Folder;
  readonly folders: readonly Folder[];
  readonly onClose: () => void;
}

/** A folder is not moved into itself. */
const outside = (folders: readonly Folder[], { path }: Folder): readonly Folder[] =>
  folders.filter((one) => one.path !== path && !one.path.startsWith(`${path}/`));

/** Renames, moves and deletes. */
function EditFolder({ folder, folders, onClose }: EditProps) {
  const { slug: projectSlug, may } = useProject();
  const goTo = useGoTo();
  const { id, name, parentId } = folder;
  const save = async (form: FormData): Promise<void> => {
    const parent = (form.get('folder') as string) || null;
    await client.mediaFolders.update.mutate({
      projectSlug,
      id,
      name: form.get('name') as string,
      parentId: parent,
    });
    notify(t('media.folderSaved'));
    void refreshMedia();
  };
  const remove = async (): Promise<void> => {
    await client.mediaFolders.delete.mutate({ projectSlug, id });
    notify(t('media.folderDeleted', { name }));
    goTo(parentId);
  };
  return (
    <FolderForm
      action={(attempt) =>
        may('mediaFolders.delete') && (
          <button className="button danger" onClick={() => attempt(remove)} type="button">
            {t('media.deleteFolder')}
          </button>
        )
      }
      isReadOnly={!may('mediaFolders.update')}
      name={name}
      onClose={onClose}
      onSave={save}
      title={t('media.editFolder')}
    >
      <FolderSelect folders={outside(folders, folder)} label={t('media.parentFolder')} value={parentId} />
    </FolderForm>
  );
}

interface Props {
  readonly search: MediaSearch;
  readonly folders: readonly Folder[];
}

/** The folder and those around it, the outermost first. */
function ancestry(folders: readonly Folder[], id: string | undefined | null): readonly Folder[] {
  const folder = folders.find((one) => one.id === id);
  return folder === undefined ? [] : [...ancestry(folders, folder.parentId), folder];
}

interface LinkProps {
  readonly search: MediaSearch;
  readonly folder: string | undefined;
  readonly className: string;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

function FolderLink({ search, folder, className, isCurrent = false, children }: LinkProps) {
  const { slug, environment } = useProject();
  return (
    <Link
      aria-current={isCurrent ? 'page' : undefined}
      className={className}
      params={{ project: slug, environment }}
      search={{ ...search, folder }}
      to="/$project/$environment/media"
    >
      {children}
    </Link>
  );
}

/** Where one is, and the folders inside. */
export function FolderBar({ search, folders }: Props) {
  const { may } = useProject();
  const [dialog, setDialog] = useState<'new' | 'edit'>();
  const path = ancestry(folders, search.folder);
  const current = path.at(-1);
  const inside = folders.filter(({ parentId }) => parentId === (current?.id ?? null));
  const close = (): void => setDialog(undefined);
  return (
    <nav aria-label={t('media.folders')} className="stack folders">
      <div className="row">
        <ol className="path grow">
          <li>
            <FolderLink
              className="path-link"
              folder={undefined}
              isCurrent={path.length === 0}
              search={search}
            >
              {t('media.allFiles')}
            </FolderLink>
          </li>
          {path.map(({ id, name }) => (
            <li key={id}>
              <FolderLink className="path-link" folder={id} isCurrent={id === current?.id} search={search}>
                {name}
              </FolderLink>
            </li>
          ))}
        </ol>
        {current !== undefined && (may('mediaFolders.update') || may('mediaFolders.delete')) && (
          <button className="button" onClick={() => setDialog('edit')} type="button">
            {t('media.editFolder')}
          </button>
        )}
        {may('mediaFolders.create') && (
          <button className="button" onClick={() => setDialog('new')} type="button">
            <Icon name="add" />
            {t('media.newFolder')}
          </button>
        )}
      </div>
      {inside.length > 0 && (
        <ul className="folder-tiles">
          {inside.map(({ id, name, assetCount }) => (
            <li key={id}>
              <FolderLink className="choice" folder={id} search={search}>
                <Icon name="folder" />
                <span className="grow clip">{name}</span>
                <span className="soft small">{assetCount}</span>
              </FolderLink>
            </li>
          ))}
        </ul>
      )}
      {dialog === 'new' && <NewFolder onClose={close} parent={current} />}
      {dialog === 'edit' && current !== undefined && (
        <EditFolder folder={current} folders={folders} onClose={close} />
      )}
    </nav>
  );
}
