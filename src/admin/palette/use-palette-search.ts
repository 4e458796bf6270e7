import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Outputs } from '../api/client.js';
import { useProject, type Asset } from '../api/project-data.js';
import { useDelayed } from '../ui/hooks.js';

export type Found = Outputs['search']['find']['data'][number];

interface PaletteSearch {
  readonly entries: readonly Found[];
  readonly assets: readonly Asset[];
  /** What is shown belongs to an earlier text value, or to none yet. */
  readonly isOutdated: boolean;
  /** Null if nothing failed. */
  readonly error: unknown;
  readonly retry: () => void;
}

const TYPING_MILLISECONDS = 150;
const ENTRIES = 8;
const ASSETS = 5;

/** A call that another one replaces is aborted. A failure is shown at once, because the next letter is another try. */
const callOptions = {
  retry: false,
  placeholderData: keepPreviousData,
  trpc: { abortOnUnmount: true },
} as const;

/** Entries and files by what was typed, once the typing pauses. */
export function usePaletteSearch(typed: string): PaletteSearch {
  const { slug: projectSlug, may } = useProject();
  const q = useDelayed(typed, TYPING_MILLISECONDS);
  const isWanted = q !== '' && typed !== '';
  const search = useQuery(
    api.search.find.queryOptions(
      { projectSlug, q, highlight: true, limit: ENTRIES },
      { ...callOptions, enabled: isWanted && may('search.find') },
    ),
  );
  const files = useQuery(
    api.media.list.queryOptions(
      { projectSlug, q, limit: ASSETS },
      { ...callOptions, enabled: isWanted && may('media.list') },
    ),
  );
  const isWaiting = q !== typed || search.isFetching || files.isFetching;
  return {
    entries: isWanted ? (search.data?.data ?? []) : [],
    assets: isWanted ? (files.data?.data ?? []) : [],
    isOutdated: typed !== '' && isWaiting,
    error: isWanted ? (search.error ?? files.error) : null,
    retry: () => {
      if (search.isError) void search.refetch();
      if (files.isError) void files.refetch();
    },
  };
}
