import { useCallback, useState } from 'react';

/** The entries that are ticked, by id. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly set: (ids: Iterable<string>) => void;
}

/** @param scope a selection belongs to one list: other filters start an empty one */
export function useSelection(scope: string): Selection {
  const [state, setState] = useState<{ readonly scope: string; readonly ids: ReadonlySet<string> }>({
    scope,
    ids: new Set(),
  });
  const ids = state.scope === scope ? state.ids : new Set<string>();
  const set = useCallback((next: Iterable<string>) => setState({ scope, ids: new Set(next) }), [scope]);
  const toggle = useCallback(
    (id: string) =>
      setState((now) => {
        const next = new Set(now.scope === scope ? now.ids : []);
        if (!next.delete(id)) next.add(id);
        return { scope, ids: next };
      }),
    [scope],
  );
  return { ids, toggle, set };
}
