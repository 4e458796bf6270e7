import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, client } from '../../api/client.js';
import type { Failure } from '../../api/failure.js';
import { projectQuery, useProject, type ContentType } from '../../api/project-data.js';
import { titleOf } from '../../entries/entry-title.js';
import { NamedEntry } from '../../fields/issue-text.js';
import { useCall } from '../../api/use-call.js';
import { localeName, t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { BrokenLinks, ReferenceList } from './reference-list.js';

/** Why the entry stays; entries that need it are named. */
function Refusal({ failure: { code, message, details } }: { readonly failure: Failure }) {
  const ids = Array.isArray(details.entryIds) ? (details.entryIds as string[]) : [];
  return (
    <div className="notice bad" role="alert">
      <div>
        <p>{code === 'entry_in_use' ? t('delete.inUse') : message}</p>
        <ul>
          {ids.map((id) => (
            <li key={id}>
              <NamedEntry id={id} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Refreshes what shows entries: lists, the number of entries of each type. */
function useRefreshEntries(): () => void {
  const queries = useQueryClient();
  const { slug, environment } = useProject();
  return () => {
    void queries.invalidateQueries({ queryKey: api.entries.pathKey() });
    void queries.invalidateQueries(projectQuery(slug, environment));
  };
}

/** Restoring gives back exactly this: drafts, without a place in the tree or a schedule. */
const isUndone = ({ treeNodeId, locales }: EntryEditor['saved']): boolean =>
  treeNodeId === null &&
  locales.every(({ status, scheduled }) => status === 'draft' && scheduled.length === 0);

interface Props {
  readonly editor: EntryEditor;
  readonly type: ContentType;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Shows what refers to the entry before it is deleted. */
export function DeleteDialog({ editor, type, onClose, onDeleted }: Props) {
  const { slug, environment, may } = useProject();
  const navigate = useNavigate();
  const refresh = useRefreshEntries();
  const { isBusy, failure, run } = useCall();
  const { saved, isDirty } = editor;
  const title = titleOf(saved, type);
  const remove = (): Promise<void> =>
    run(async () => {
      const version = { projectSlug: slug, id: saved.id, version: saved.version };
      await client.entries.delete.mutate(version);
      onDeleted();
      const takeBack = async (): Promise<void> => {
        await client.entries.undelete.mutate(version);
        refresh();
      };
      notify(t('delete.done', { title }), may('entries.undelete') && isUndone(saved) ? takeBack : undefined);
      await navigate({
        to: '/$project/$environment',
        params: { project: slug, environment },
        search: { type: type.apiName },
        ignoreBlocker: true,
      });
      refresh();
    });
  return (
    <Dialog onClose={onClose} title={t('delete.title', { title })}>
      <p>{t('delete.hint')}</p>
      {isDirty && <p className="problem">{t('delete.unsaved')}</p>}
      <BrokenLinks id={saved.id} />
      <h3>{t('entry.uses')}</h3>
      <ReferenceList empty={t('uses.none')} id={saved.id} />
      {failure !== undefined && <Refusal failure={failure} />}
      <DialogFooter disabled={isBusy} isDangerous onCancel={onClose} onRun={remove} run={t('delete.run')} />
    </Dialog>
  );
}

type UnpublishProps = Omit<Props, 'onDeleted'>;

/** Says what disappears for readers before it does. */
export function UnpublishDialog({ editor, type, onClose }: UnpublishProps) {
  const { may } = useProject();
  const { isBusy, failure, run } = useCall();
  const { saved } = editor;
  const names = { title: titleOf(saved, type), locale: localeName(saved.locale) };
  const unpublish = (): Promise<void> =>
    run(async () => {
      await editor.unpublish(may('entries.publish', { locale: saved.locale }));
      onClose();
    });
  return (
    <Dialog onClose={onClose} title={t('unpublish.title', names)}>
      <p>{t('unpublish.hint', names)}</p>
      <BrokenLinks id={saved.id} locale={saved.locale} />
      {failure !== undefined && <Refusal failure={failure} />}
      <DialogFooter
        disabled={isBusy}
        isDangerous
        onCancel={onClose}
        onRun={unpublish}
        run={t('unpublish.run')}
      />
    </Dialog>
  );
}
