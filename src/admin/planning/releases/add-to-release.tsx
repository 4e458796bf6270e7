import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { limits } from '../../../../contracts/limits.js';
import { api, client } from '../../api/client.js';
import { useProject, type ContentType } from '../../api/project-data.js';
import { useCall } from '../../api/use-call.js';
import type { EntryEditor } from '../../editor/use-entry-editor.js';
import type { BulkParams } from '../../entries/run-bulk.js';
import { titleOf } from '../../entries/entry-title.js';
import { localeName } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { Loaded } from '../../ui/states.js';
import { notify } from '../../ui/toasts.js';
import { SelectField } from './item-fields.js';
import { VersionField } from './new-item.js';
import { refreshReleases } from './release-dialogs.js';
import { say } from './release-texts.js';

/** Releases that were changed last. */
const SHOWN = 100;
const NEW = '';

interface ReleaseTarget {
  readonly id: string;
  readonly name: string;
}

/** The choice among the open releases and a new one, which is created when it is needed. */
function useReleaseChoice() {
  const { slug: projectSlug, may } = useProject();
  const query = useQuery(api.releases.list.queryOptions({ projectSlug, status: ['open'], limit: SHOWN }));
  const [made, setMade] = useState<ReleaseTarget>();
  const [chosen, setChosen] = useState<string>();
  const [name, setName] = useState('');
  const open: readonly ReleaseTarget[] = [...(made === undefined ? [] : [made]), ...(query.data?.data ?? [])];
  const id = chosen ?? open[0]?.id ?? NEW;
  const existing = open.find((one) => one.id === id);
  const mayCreate = may('releases.create');
  /** Once: what fails afterwards finds it among the open ones. */
  const resolve = async (): Promise<ReleaseTarget> => {
    if (existing !== undefined) return existing;
    const { data } = await client.releases.create.mutate({ projectSlug, name: name.trim() });
    setMade(data);
    setChosen(data.id);
    return data;
  };
  const isReady = existing !== undefined || (query.isSuccess && mayCreate && name.trim() !== '');
  return { query, open, id, name, mayCreate, isReady, resolve, choose: setChosen, type: setName };
}

type Choice = ReturnType<typeof useReleaseChoice>;

function ReleaseFields({ choice }: { readonly choice: Choice }) {
  const { query, open, id, name, mayCreate } = choice;
  const options = [
    ...open.map((one) => ({ value: one.id, label: one.name })),
    ...(mayCreate ? [{ value: NEW, label: say('newRelease') }] : []),
  ];
  return (
    <Loaded query={query}>
      {() =>
        options.length === 0 ? (
          <p className="soft">{say('none')}</p>
        ) : (
          <>
            <SelectField label={say('release')} onChange={choice.choose} options={options} value={id} />
            {id === NEW && (
              <label className="field">
                <span className="label">{say('newName')}</span>
                <input
                  className="input"
                  maxLength={limits.nameLength}
                  onChange={({ target }) => choice.type(target.value)}
                  value={name}
                />
              </label>
            )}
          </>
        )
      }
    </Loaded>
  );
}

interface FrameProps {
  readonly title: string;
  /** With the release that was chosen or created. */
  readonly onAdd: (release: ReleaseTarget) => Promise<void> | void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

function AddDialog({ title, onAdd, onClose, children }: FrameProps) {
  const choice = useReleaseChoice();
  const { isBusy, failure, run } = useCall();
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            await onAdd(await choice.resolve());
            await refreshReleases();
          });
        }}
      >
        <ReleaseFields choice={choice} />
        {children}
        <DialogFooter
          disabled={isBusy || !choice.isReady}
          isFocused
          onCancel={onClose}
          refusal={failure?.problem}
          run={say('add')}
        />
      </form>
    </Dialog>
  );
}

interface EntryProps {
  readonly editor: EntryEditor;
  readonly type: ContentType;
  readonly onClose: () => void;
}

const NEWEST = '';

/** Adds the publication or unpublication of the entry in its locale. */
export function AddEntryDialog({ editor: { saved, isDirty }, type, onClose }: EntryProps) {
  const { slug: projectSlug } = useProject();
  const [action, setAction] = useState<'publish' | 'unpublish'>('publish');
  const [version, setVersion] = useState(NEWEST);
  const { id: entryId, locale, locales } = saved;
  const isLive = locales.some((one) => one.locale === locale && one.status !== 'draft');
  const pinnedVersion = action === 'publish' && version !== NEWEST ? Number(version) : null;
  const add = async ({ id, name }: ReleaseTarget): Promise<void> => {
    const item = { kind: 'entry' as const, entryId, locale, action, pinnedVersion };
    await client.releases.addItems.mutate({ projectSlug, id, items: [item] });
    notify(say('added', { name }));
    onClose();
  };
  return (
    <AddDialog onAdd={add} onClose={onClose} title={say('addTitle', { title: titleOf(saved, type) })}>
      {isLive && (
        <SelectField
          label={say('action')}
          onChange={setAction}
          options={(['publish', 'unpublish'] as const).map((value) => ({ value, label: say(`do.${value}`) }))}
          value={action}
        />
      )}
      {action === 'publish' && <VersionField entryId={entryId} onChange={setVersion} value={version} />}
      {isDirty && <p className="hint">{say('unsaved')}</p>}
    </AddDialog>
  );
}

interface SelectedProps {
  readonly count: number;
  readonly locale: string | undefined;
  readonly onRun: (action: 'addToRelease', params: BulkParams) => void;
  readonly onClose: () => void;
}

/** Adds the publication of the ticked entries. */
export function AddSelectedDialog({ count, locale, onRun, onClose }: SelectedProps) {
  const names = { count, locale: locale === undefined ? '' : localeName(locale) };
  return (
    <AddDialog
      onAdd={({ id: releaseId }) => onRun('addToRelease', { releaseId })}
      onClose={onClose}
      title={say('bulkTitle', names)}
    />
  );
}
