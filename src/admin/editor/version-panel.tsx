import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, client, type Outputs } from '../api/client.js';
import { cursorPages } from '../api/cursor-pages.js';
import { useProject, type ContentType, type Entry } from '../api/project-data.js';
import { useCall } from '../api/use-call.js';
import { formatTime, t, localeName } from '../texts/index.js';
import { IconButton } from '../ui/icon-button.js';
import { Loaded } from '../ui/states.js';
import { notify, notifyFailure } from '../ui/toasts.js';
import { pathText } from './path-text.js';
import type { EntryEditor } from './use-entry-editor.js';
import { groupVersions, isAutosave, type Version, type VersionGroup } from './versions.js';
import { Dialog } from '../ui/dialog.js';
import type { Values } from './draft.js';
import { ValueView } from './value-view.js';

interface VersionDiffProps {
  readonly entry: Entry;
  readonly from: number;
  readonly type: ContentType;
  readonly onClose: () => void;
}

type Changes = Outputs['entries']['diffVersions']['data']['changes'];

/** Lists as they were, which have the blocks that were removed since. */
const formerLists = (changes: Changes): Values[] => changes.map(({ field, from }) => ({ [field]: from }));

/** What has changed between a version and the current one. */
function VersionDiff({ entry: { id, fields }, from, type, onClose }: VersionDiffProps) {
  const project = useProject();
  const { slug: projectSlug } = project;
  const query = useQuery(api.entries.diffVersions.queryOptions({ projectSlug, id, from }));
  return (
    <Dialog isWide onClose={onClose} title={t('versions.was', { version: from })}>
      <Loaded query={query}>
        {({ data: { changes } }) =>
          changes.length === 0 ? (
            <p>{t('versions.noChange')}</p>
          ) : (
            changes.map(({ field, locale, from: was, to: is }) => (
              <section className="field" key={`${field} ${locale ?? ''}`}>
                <h3>
                  {pathText({ project, type, known: [fields, ...formerLists(changes)] }, field)}{' '}
                  <span className="soft">{locale === null ? '' : localeName(locale)}</span>
                </h3>
                <div className="versus">
                  <div>
                    <p className="small soft">{t('versions.was', { version: from })}</p>
                    <ValueView other={is} value={was} />
                  </div>
                  <div>
                    <p className="small soft">{t('versions.is')}</p>
                    <ValueView other={was} value={is} />
                  </div>
                </div>
              </section>
            ))
          )
        }
      </Loaded>
    </Dialog>
  );
}

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
