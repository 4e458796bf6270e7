import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Panel } from '../routes/searches.js';

const from = '/$project/$environment/entries/$entry';
const KEY = 'headwater.preview';

export interface PanelState {
  readonly panel: Panel | undefined;
  /** Id of a comment. */
  readonly thread: string | undefined;
  /** Undefined closes the panel. */
  readonly show: (panel: Panel | undefined, thread?: string) => void;
}

/** The panel beside the form, which the address names; else the preview, if it was left open in this browser. */
export function usePanel(): PanelState {
  const { panel: named, thread } = useSearch({ from });
  const navigate = useNavigate({ from });
  const panel = named ?? (localStorage.getItem(KEY) === 'open' ? 'preview' : undefined);
  return {
    panel,
    thread,
    show: (next, nextThread) => {
      if (next === 'preview') localStorage.setItem(KEY, 'open');
      if (next === undefined && panel === 'preview') localStorage.removeItem(KEY);
      void navigate({
        search: (now) => ({ ...now, panel: next, thread: nextThread }),
        replace: true,
        // What was typed stays.
        ignoreBlocker: true,
      });
    },
  };
}
