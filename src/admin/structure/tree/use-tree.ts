import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { levelQuery, type TreeNode, type TreeView } from './tree-data.js';
import { limitOf, rowsOf, SHOWN_AT_ONCE, type Levels, type TreeRow } from './tree-rows.js';

export interface Tree {
  readonly levels: Levels;
  readonly rows: readonly TreeRow[];
  readonly open: (id: string) => void;
  readonly close: (id: string) => void;
  readonly showMore: (parentId: string | null) => void;
  readonly retry: (parentId: string | null) => void;
}

/** The opened levels of a tree; each is read when it is opened. */
export function useTree(view: TreeView): Tree {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const [limits, setLimits] = useState<ReadonlyMap<string | null, number>>(new Map());
  const parents = [null, ...opened];
  const queries = useQueries({ queries: parents.map((parentId) => levelQuery(view, parentId)) });
  const levels: Levels = new Map(
    parents.map((parentId, index) => {
      const nodes: readonly TreeNode[] | undefined = queries[index]?.data;
      return [parentId, { nodes, error: queries[index]?.error ?? null }];
    }),
  );
  return {
    levels,
    rows: rowsOf({ levels, limits }),
    open: (id) => setOpened((ids) => (ids.includes(id) ? ids : [...ids, id])),
    close: (id) => setOpened((ids) => ids.filter((one) => one !== id)),
    showMore: (parentId) =>
      setLimits(new Map(limits).set(parentId, limitOf(limits, parentId) + SHOWN_AT_ONCE)),
    retry: (parentId) => void queries[parents.indexOf(parentId)]?.refetch(),
  };
}
