import { useRef, useState, useCallback } from 'react';
import { client, type Outputs } from '../api/client.js';
import { failureOf } from '../api/failure.js';
import { typeOf, useProject, type Entry, type Project } from '../api/project-data.js';
import { localeName, t } from '../texts/index.js';
import { notify, notifyFailure } from '../ui/toasts.js';
import { AUTOSAVE_COMMENT } from './versions.js';
import { failedSave, type SaveProgress } from './save-progress.js';
import { settled } from './conflict.js';
import { sentFields } from './sent-fields.js';
import { isChanged, isSlugChanged, rebased, withTakenBack } from './draft.js';
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
  /** Saves and checks as publishing does. What is wrong is shown at the fields; undefined if saving failed. */
  check(): Promise<Validation | undefined>;
  /** @param along whether entries are published as well that it refers to and that are not published */
  publish(along: boolean): Promise<void>;
  /**
   * @param mayPublish whether the user may publish it again
   * @throws what the service refuses
   */
  unpublish(mayPublish: boolean): Promise<void>;
  /** Refusals of what the user asked for so far: the first field that is wrong gets the focus with each. */
  readonly refusalCount: number;
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

type Validation = Outputs['entries']['validate']['data'];

async function publish(
  { stored, remember, forgetProblems }: EntryState,
  call: Call & { readonly withDependencies: boolean },
): Promise<void> {
  const { data } = await client.entries.publish.mutate({ ...call, version: stored().version });
  if ('jobId' in data) return;
  remember(data);
  forgetProblems();
}

async function unpublish({ remember }: EntryState, call: Call): Promise<void> {
  const { data } = await client.entries.unpublish.mutate(call);
  if (!('jobId' in data)) remember(data);
}

/** Resolves to what puts the values of the user in place of the other one's again. */
async function settle(state: EntryState, call: Call, theirs: readonly string[]): Promise<() => void> {
  const { data } = await client.entries.get.query(call);
  const before = state.latest().now;
  state.change((typed) => settled(typed, contentOf(data), theirs));
  const after = state.latest().now;
  state.remember(data);
  state.dropConflict();
  return () => state.change((now) => withTakenBack(now, before, after));
}

type Busily = (done: string | (() => void), work: () => Promise<void>) => Promise<void>;

/** Runs what the user asked for, and shows why it was refused. */
function useBusily(state: EntryState, inTurn: ReturnType<typeof useTurns>) {
  const [isBusy, setIsBusy] = useState(false);
  const [refusalCount, setRefusalCount] = useState(0);
  const countRefusal = (): void => setRefusalCount((count) => count + 1);
  const busily: Busily = async (done, work) => {
    setIsBusy(true);
    try {
      await inTurn(work);
      if (typeof done === 'string') notify(done);
      else done();
    } catch (error) {
      const shown = state.refuse(error);
      if (shown === undefined) notifyFailure(error);
      if (shown === 'fields') countRefusal();
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, refusalCount, countRefusal, busily };
}

type Publication = Pick<EntryEditor, 'check' | 'publish' | 'unpublish'>;

interface Calls extends Pick<ReturnType<typeof useBusily>, 'busily' | 'countRefusal'> {
  readonly call: Call;
  readonly inTurn: ReturnType<typeof useTurns>;
  readonly afterStore: (work: () => Promise<void>) => () => Promise<void>;
}

/** What was live cannot be published again once the draft has other values: nothing to take back is offered then. */
function publicationOf(state: EntryState, calls: Calls): Publication {
  const { call, inTurn, busily, countRefusal, afterStore } = calls;
  const locale = localeName(call.locale);
  return {
    check: async () => {
      let found: Validation | undefined;
      const validate = async (): Promise<void> => {
        found = (await client.entries.validate.query(call)).data;
        if (found.isPublishable) return;
        state.refuseIssues(found.issues);
        countRefusal();
      };
      await busily(() => undefined, afterStore(validate));
      return found;
    },
    publish: (along) => {
      const text = t('entry.publishedIn', { locale });
      const canUndo = state.stored().status === 'draft' && !along;
      return busily(
        () => notify(text, canUndo ? () => inTurn(() => unpublish(state, call)) : undefined),
        afterStore(() => publish(state, { ...call, withDependencies: along })),
      );
    },
    unpublish: async (mayPublish) => {
      const canUndo = mayPublish && state.stored().status === 'published' && !isChanged(state.latest());
      await inTurn(() => unpublish(state, call));
      const again = () => inTurn(() => publish(state, { ...call, withDependencies: false }));
      notify(t('entry.unpublishedIn', { locale }), canUndo ? again : undefined);
    },
  };
}

/** One entry in one locale while it is edited. Calls run one after the other. */
export function useEntryEditor(entry: Entry): EntryEditor {
  const { slug: projectSlug } = useProject();
  const state = useEntryState(entry);
  const inTurn = useTurns();
  const { busily, countRefusal, ...progressOfCalls } = useBusily(state, inTurn);
  const call = { projectSlug, id: entry.id, locale: entry.locale };
  const [progress, storeChange] = useStore(state, call);
  const afterStore = (work: () => Promise<void>) => () => storeChange().then(work);
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
    ...progressOfCalls,
    isDirty: isChanged(state.draft),
    progress,
    saveQuietly,
    save: () => busily(t('entry.saved'), () => storeChange()),
    ...publicationOf(state, { call, inTurn, afterStore, busily, countRefusal }),
    settle: (theirs) => {
      let undo: (() => void) | undefined;
      return busily(
        () => notify(t('entry.saved'), theirs.length > 0 ? undo : undefined),
        async () => {
          undo = await settle(state, call, theirs);
          await storeChange();
        },
      );
    },
    afterSave: (work) => inTurn(() => storeChange().then(() => work(state.stored().version))),
  };
}
