import { useState } from 'react';
import { client } from '../api/client.js';
import { useProject, type Entry } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { notify } from '../ui/toasts.js';
import { settled } from './conflict.js';
import { changedFields, isChanged, isSlugChanged, rebased } from './draft.js';
import { contentOf, useEntryState, type EntryState } from './use-entry-state.js';

export interface EntryEditor extends EntryState {
  readonly isBusy: boolean;
  readonly isDirty: boolean;
  save(): Promise<void>;
  publish(): Promise<void>;
  unpublish(): Promise<void>;
  /** Saves with the other one's values in these fields. */
  settle(theirs: readonly string[]): Promise<void>;
}

interface Call {
  readonly projectSlug: string;
  readonly id: string;
  readonly locale: string;
}

/** Stores what has been typed. Changes that others made in other fields since are merged. */
async function store({ latest, change, remember }: EntryState, call: Call, stored: Entry): Promise<Entry> {
  const sent = latest();
  if (!isChanged(sent)) return stored;
  const { data } = await client.entries.update.mutate({
    ...call,
    version: stored.version,
    fields: changedFields(sent),
    ...(isSlugChanged(sent) && { slug: sent.now.slug }),
    mergeStrategy: 'disjoint',
  });
  change((typed) => rebased({ base: sent.now, now: typed.now }, contentOf(data)));
  remember(data);
  return data;
}

async function publish(state: EntryState, call: Call): Promise<void> {
  const { version } = await store(state, call, state.saved);
  const { data } = await client.entries.publish.mutate({ ...call, version });
  if (!('jobId' in data)) state.remember(data);
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
  await store(state, call, data);
}

/** One entry in one locale while it is edited. */
export function useEntryEditor(entry: Entry): EntryEditor {
  const { slug: projectSlug } = useProject();
  const state = useEntryState(entry);
  const [isBusy, setIsBusy] = useState(false);
  const { saved, draft, refuse } = state;
  const call = { projectSlug, id: saved.id, locale: saved.locale };
  const busily = async (done: string, work: () => Promise<unknown>): Promise<void> => {
    setIsBusy(true);
    try {
      await work();
      notify(done);
    } catch (error) {
      refuse(error);
    } finally {
      setIsBusy(false);
    }
  };
  return {
    ...state,
    ...{ isBusy, isDirty: isChanged(draft) },
    save: () => busily(t('entry.saved'), () => store(state, call, saved)),
    publish: () => busily(t('entry.published'), () => publish(state, call)),
    unpublish: () => busily(t('entry.unpublished'), () => unpublish(state, call)),
    settle: (theirs) => busily(t('entry.saved'), () => settle(state, call, theirs)),
  };
}
