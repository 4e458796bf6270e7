import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, client } from '../api/client.js';
import { cursorPages } from '../api/cursor-pages.js';
import { useProject, type ContentType } from '../api/project-data.js';
import { useCall } from '../api/use-call.js';
import { formatTime, t } from '../texts/index.js';
import { IconButton } from '../ui/icon-button.js';
import { Loaded } from '../ui/states.js';
import { notify, notifyFailure } from '../ui/toasts.js';
import { pathText } from './path-text.js';
import type { EntryEditor } from './use-entry-editor.js';
import { VersionDiff } from './version-diff.js';
import { groupVersions, isAutosave, type Version, type VersionGroup } from './versions.js';

interface Props {
  readonly editor: EntryEditor;
  readonly type: ContentType;
  readonly onClose: () => void;
}

const PAGE = 20;

const kindText = (kind: Version['changeType']): string =>
  kind === 'restore' ? t('versions.restoreKind') : t(`versions.${kind}`);

interface ItemProps {
  readonly version: Version;
  readonly isCurrent: boolean;
  readonly canRestore: boolean;
  /** A changed field in words. */
  readonly nameOf: (path: string) => string;
  readonly onCompare: () => void;
  readonly onRestore: () => void;
}

function VersionItem({ version, isCurrent, canRestore, nameOf, onCompare, onRestore }: ItemProps) {
  return (
    <li className="version">
      <p className="row">
        <strong>{t('entry.version', { version: version.versionNum })}</strong>
        {isCurrent && <span className="badge">{t('versions.current')}</span>}
        {version.isPublished && <span className="badge published">{t('versions.published')}</span>}
      </p>
      <p className="small">
        {kindText(version.changeType)} · {version.createdBy.name} · {formatTime(version.createdAt)}
      </p>
      {version.comment !== null && (
        <p className="small">{isAutosave(version) ? t('versions.autosave') : version.comment}</p>
      )}
      <p className="small soft clip">
        {[...version.locales, ...version.changedFields.map(nameOf)].join(', ')}
      </p>
      {!isCurrent && (
        <p className="row">
          <button className="button" onClick={onCompare} type="button">
            {t('versions.compare')}
          </button>
          {canRestore && (
            <button className="button" onClick={onRestore} type="button">
              {t('versions.restore')}
            </button>
          )}
        </p>
      )}
    </li>
  );
}

interface GroupProps {
  readonly group: VersionGroup;
  readonly children: (version: Version) => ReactNode;
}

/** One line for consecutive automatic saves, which unfolds. */
function FoldedVersions({ group: { newest, earlier }, children }: GroupProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {children(newest)}
      {earlier.length > 0 && (
        <li>
          <button
            aria-expanded={isOpen}
            className="button plain"
            onClick={() => setIsOpen(!isOpen)}
            type="button"
          >
            {t(isOpen ? 'versions.fold' : 'versions.unfold', { count: earlier.length })}
          </button>
        </li>
      )}
      {isOpen && earlier.map(children)}
    </>
  );
}

/** Every version, newest first, to be compared and restored. */
export function VersionPanel({ editor, type, onClose }: Props) {
  const project = useProject();
  const { saved, adopt } = editor;
  const call = { projectSlug: project.slug, id: saved.id };
  const { run } = useCall();
  const [compared, setCompared] = useState<number>();
  const versions = useInfiniteQuery(
    cursorPages(api.entries.listVersions.queryKey(call), (cursor) =>
      client.entries.listVersions.query({ ...call, limit: PAGE, cursor }),
    ),
  );
  const restore = (versionNum: number): Promise<void> =>
    run(async () => {
      try {
        await client.entries.restore.mutate({ ...call, versionNum, version: saved.version });
        const { data } = await client.entries.get.query({ ...call, locale: saved.locale });
        notify(t('versions.restored', { version: versionNum }), adopt(data));
      } catch (error) {
        notifyFailure(error);
      }
    });
  return (
    <aside aria-label={t('versions.title')} className="panel">
      <div className="row">
        <h2 className="grow">{t('versions.title')}</h2>
        <IconButton icon="close" label={t('app.close')} onClick={onClose} />
      </div>
      <Loaded query={versions}>
        {({ pages }) => (
          <ol className="versions">
            {groupVersions(pages.flatMap(({ data }) => data)).map((group) => (
              <FoldedVersions group={group} key={(group.earlier.at(-1) ?? group.newest).versionNum}>
                {(version) => (
                  <VersionItem
                    canRestore={project.may('entries.update') && !editor.isDirty}
                    isCurrent={version.versionNum === saved.version}
                    key={version.versionNum}
                    nameOf={(path) => pathText({ project, type, known: [saved.fields] }, path)}
                    onCompare={() => setCompared(version.versionNum)}
                    onRestore={() => void restore(version.versionNum)}
                    version={version}
                  />
                )}
              </FoldedVersions>
            ))}
          </ol>
        )}
      </Loaded>
      {versions.hasNextPage && (
        <button className="button" onClick={() => void versions.fetchNextPage()} type="button">
          {t('versions.more')}
        </button>
      )}
      {compared !== undefined && (
        <VersionDiff entry={saved} from={compared} onClose={() => setCompared(undefined)} type={type} />
      )}
    </aside>
  );
}
