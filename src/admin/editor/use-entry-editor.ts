import { useRef, useState, useCallback } from 'react';
import { client } from '../api/client.js';
import { failureOf } from '../api/failure.js';
import { typeOf, useProject, type Entry, type Project } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { notify, notifyFailure } from '../ui/toasts.js';
import { AUTOSAVE_COMMENT } from './autosave-comment.js';
import { failedSave, type SaveProgress } from './save-progress.js';
import { settled } from './conflict.js';
import { sentFields } from './sent-fields.js';
import { isChanged, isSlugChanged, rebased } from './draft.js';
import { contentOf, useEntryState, type EntryState } from './use-entry-state.js';

/** Runs work when all earlier work is done, so that each call names the version that the one before made. */
function useTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return useCallback((work) => {
    const next = last.current.then(work);
    last.current = next.catch(() => undefined);
    return next;
  }, []);
}

export interface EntryEditor extends EntryState {
  readonly isBusy: boolean;
  readonly isDirty: boolean;
  readonly progress: SaveProgress;
  save(): Promise<void>;
  /** Saves without a notice. Resolves to whether nothing is left to save. */
  saveQuietly(): Promise<boolean>;
  publish(): Promise<void>;
  unpublish(): Promise<void>;
  /** Saves with the other one's values in these fields. */
  settle(theirs: readonly string[]): Promise<void>;
  /** Saves what was typed and calls with the version that is stored then. */
  afterSave<T>(work: (version: number) => Promise<T>): Promise<T>;
}

interface Call {
  readonly projectSlug: string;
  readonly id: string;
  readonly locale: string;
}

interface StoreCall extends Call {
  readonly project: Project;
}

/** Stores what has been typed. Changes that others made in other fields since are merged. */
async function store({ latest, stored, change, remember }: EntryState, call: StoreCall, comment?: string) {
  const sent = latest();
  const { project, ...place } = call;
  const { data } = await client.entries.update.mutate({
    ...place,
    version: stored().version,
    fields: sentFields(project, typeOf(project, stored().contentTypeApiName), sent),
    ...(isSlugChanged(sent) && { slug: sent.now.slug }),
    ...(comment !== undefined && { comment }),
    mergeStrategy: 'disjoint',
  });
  const saved = contentOf(data);
  change(({ now }) => rebased({ base: sent.now, now }, saved));
  remember(data);
}

type Store = (comment?: string) => Promise<void>;

/** Stores with a record of what became of it; what is unchanged is not sent. */
function useStore(state: EntryState, call: Call): [SaveProgress, Store] {
  const project = useProject();
  const [progress, setProgress] = useState<SaveProgress>({ kind: 'none' });
  const before = useRef(progress);
  const set = (next: SaveProgress): void => {
    if (next.kind !== 'saving') before.current = next;
    setProgress(next);
  };
  const storeChange: Store = async (comment) => {
    const sent = state.latest();
    if (!isChanged(sent)) {
      if (before.current.kind === 'failed') set({ kind: 'none' });
      return;
    }
    set({ kind: 'saving' });
    try {
      await store(state, { ...call, project }, comment);
      set({ kind: 'saved', at: state.stored().updatedAt });
    } catch (error) {
      set(failedSave(failureOf(error), sent, before.current));
      throw error;
    }
  };
  return [progress, storeChange];
}

async function publish({ stored, remember }: EntryState, call: Call): Promise<void> {
  const { data } = await client.entries.publish.mutate({ ...call, version: stored().version });
  if (!('jobId' in data)) remember(data);
}

async function unpublish({ remember }: EntryState, call: Call): Promise<void> {
  const { data } = await client.entries.unpublish.mutate(call);
  if (!('jobId' in data)) remember(data);
}

async function settle(state: EntryState, call: Call, theirs: readonly string[]): Promise<void> {
  const { data } = await client.entries.get.query(call);
  state.change((typed) => settled(typed, contentOf(data), theirs));
  state.remember(data);
  state.dropConflict();
}

/** One entry in one locale while it is edited. Calls run one after the other. */
export function useEntryEditor(entry: Entry): EntryEditor {
  const { slug: projectSlug } = useProject();
  const state = useEntryState(entry);
  const inTurn = useTurns();
  const [isBusy, setIsBusy] = useState(false);
  const call = { projectSlug, id: entry.id, locale: entry.locale };
  const [progress, storeChange] = useStore(state, call);
  const afterStore = (work: () => Promise<void>) => () => storeChange().then(work);
  const busily = async (done: string, work: () => Promise<void>): Promise<void> => {
    setIsBusy(true);
    try {
      await inTurn(work);
      notify(done);
    } catch (error) {
      if (!state.refuse(error)) notifyFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  const saveQuietly = async (): Promise<boolean> => {
    try {
      await inTurn(() => storeChange(AUTOSAVE_COMMENT));
      return !isChanged(state.latest());
    } catch (error) {
      state.refuse(error);
      return false;
    }
  };
  return {
    ...state,
    ...{ isBusy, isDirty: isChanged(state.draft), progress, saveQuietly },
    save: () => busily(t('entry.saved'), () => storeChange()),
    publish: () =>
      busily(
        t('entry.published'),
        afterStore(() => publish(state, call)),
      ),
    unpublish: () => busily(t('entry.unpublished'), () => unpublish(state, call)),
    settle: (theirs) => busily(t('entry.saved'), () => settle(state, call, theirs).then(() => storeChange())),
    afterSave: (work) => inTurn(() => storeChange().then(() => work(state.stored().version))),
  };
}
