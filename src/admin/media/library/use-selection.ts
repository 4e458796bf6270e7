import { useEffect, useState } from 'react';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly select: (ids: readonly string[]) => void;
}

/** Which items are selected; another list begins with none. */
export function useSelection(list: string): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    setIds(new Set());
  }, [list]);
  const toggle = (id: string): void =>
    setIds((all) => (all.has(id) ? new Set([...all].filter((one) => one !== id)) : new Set([...all, id])));
  return { ids, toggle, select: (chosen) => setIds(new Set(chosen)) };
}
