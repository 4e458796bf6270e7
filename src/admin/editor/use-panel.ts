import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Panel } from './panels.js';

const from = '/$project/$environment/entries/$entry';

export interface PanelState {
  readonly panel: Panel | undefined;
  /** Id of a comment. */
  readonly thread: string | undefined;
  /** Undefined closes the panel. */
  readonly show: (panel: Panel | undefined, thread?: string) => void;
}

/** The panel beside the form, which the address names. */
export function usePanel(): PanelState {
  const { panel, thread } = useSearch({ from });
  const navigate = useNavigate({ from });
  return {
    ...{ panel, thread },
    show: (next, nextThread) =>
      void navigate({
        search: (now) => ({ ...now, panel: next, thread: nextThread }),
        replace: true,
        // What was typed stays.
        ignoreBlocker: true,
      }),
  };
}
