import { useProject, type Entry } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { panels, type Panel } from './panels.js';
import type { PanelState } from './use-panel.js';

interface Props {
  readonly entry: Entry;
  readonly state: PanelState;
  /** Open threads. */
  readonly commentCount: number;
}

/** Opens and closes what is shown beside the form. A type without a workflow has no panel for one. */
export function PanelButtons({ entry, state: { panel, show }, commentCount }: Props) {
  const { may } = useProject();
  const offered: Readonly<Record<Panel, boolean>> = {
    preview: may('entries.preview'),
    workflow: entry.workflow !== null && may('entries.getWorkflow'),
    comments: may('entries.listComments'),
    publication: true,
    versions: true,
    // In the menu.
    uses: false,
  };
  return panels
    .filter((one) => offered[one])
    .map((one) => (
      <button
        aria-expanded={panel === one}
        className="button plain"
        key={one}
        onClick={() => show(panel === one ? undefined : one)}
        type="button"
      >
        {t(`entry.${one}`)}
        {one === 'comments' && commentCount > 0 && (
          <>
            {' '}
            <span className="badge">{commentCount}</span>
          </>
        )}
      </button>
    ));
}
