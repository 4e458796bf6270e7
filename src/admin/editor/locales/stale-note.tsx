import { useProject } from '../../api/project-data.js';
import { contentText } from '../block-text.js';
import type { TranslationWork } from './use-beside.js';
import { ChangeView } from '../../ui/change-view.js';
import { t } from '../../texts/index.js';

type OutdatedField = TranslationWork['outdated'][number];

interface Props {
  readonly label: string;
  readonly outdated: OutdatedField;
}

/** The source of the field as it was translated and as it is published now. */
export function StaleNote({ label, outdated }: Props) {
  const project = useProject();
  const { then, now, sourceVersion } = outdated;
  const reason =
    sourceVersion === null ? t('beside.staleNew') : t('beside.staleField', { version: sourceVersion });
  return (
    <details className="stale" dir="ltr">
      <summary>{reason}</summary>
      <ChangeView
        change={{ path: [label], from: then, to: now }}
        text={(value, other) => contentText(project, value, other)}
      />
    </details>
  );
}
