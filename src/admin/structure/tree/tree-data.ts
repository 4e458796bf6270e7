import { client, queryClient, type Outputs } from '../../api/client.js';

export type TreeNode = Outputs['tree']['getNode']['data'];

/** The address of the tree that belongs to no site. No site can have this slug. */
export const GLOBAL_TREE = 'global';

export interface TreeView {
  readonly projectSlug: string;
  /** Of a site, or {@link GLOBAL_TREE}. */
  readonly siteSlug: string;
  readonly locale: string | undefined;
}

async function readLevel(
  { projectSlug, siteSlug, locale }: TreeView,
  parentId: string | null,
): Promise<readonly TreeNode[]> {
  const input = {
    projectSlug,
    depth: 1,
    flat: true,
    ...(locale !== undefined && { locale }),
    ...(parentId !== null && { parentId }),
  };
  const { data } =
    siteSlug === GLOBAL_TREE
      ? await client.tree.getGlobal.query(input)
      : await client.tree.get.query({ ...input, siteSlug });
  return data;
}

/** The nodes directly below one node, or at the top of the tree. */
export const levelQuery = (view: TreeView, parentId: string | null) => ({
  queryKey: [['tree'], view, parentId],
  queryFn: () => readLevel(view, parentId),
});

/** Levels that are shown are read again. */
export const refreshTree = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [['tree']] });
