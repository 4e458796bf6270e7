import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, client, queryClient, type Outputs } from '../../api/client.js';
import { everyItem, PAGE_SIZE } from '../../api/every-item.js';
import { useProject } from '../../api/project-data.js';
import { words } from '../../resources/labels.js';
import type { TaskSearch } from '../../routes/searches.js';

export type Task = Outputs['tasks']['list']['data'][number];

const PAGE = 50;

export function useTasks({ assignee, kind }: TaskSearch) {
  const { slug: projectSlug } = useProject();
  const input = {
    projectSlug,
    limit: PAGE,
    assigneeId: assignee ?? ('me' as const),
    ...(kind !== undefined && { kind: [kind] }),
  };
  return useInfiniteQuery({
    queryKey: [...api.tasks.list.queryKey(input), 'pages'],
    queryFn: ({ pageParam }) => client.tasks.list.query({ ...input, page: pageParam }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }, _pages, page) => (page < meta.pages ? page + 1 : undefined),
  });
}

/** The name of a state of the workflows; its key in words for those who may not read them. */
export function useStateNames(): (state: string) => string {
  const { slug: projectSlug, may } = useProject();
  const { data: workflows = [] } = useQuery({
    queryKey: [...api.workflows.list.queryKey({ projectSlug }), 'every'],
    queryFn: () => everyItem((page) => client.workflows.list.query({ projectSlug, page, limit: PAGE_SIZE })),
    enabled: may('workflows.list'),
  });
  const states = workflows.flatMap((workflow) => workflow.states);
  return (state) => states.find(({ key }) => key === state)?.name ?? words(state);
}

/** After work was given to someone or done. */
export function refreshWork(): void {
  for (const queryKey of [
    api.tasks.pathKey(),
    api.translations.pathKey(),
    api.entries.pathKey(),
    api.calendar.pathKey(),
  ])
    void queryClient.invalidateQueries({ queryKey });
}
