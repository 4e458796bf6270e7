import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Icon } from '../../ui/icon.js';
import type { Folder } from '../media-queries.js';
import { EditFolder, NewFolder } from './folder-dialogs.js';
import type { MediaSearch } from './media-search.js';

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
