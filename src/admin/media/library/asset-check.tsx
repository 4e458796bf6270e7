import type { Asset } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import type { Selection } from './use-selection.js';

interface Props {
  readonly asset: Asset;
  readonly selection: Selection;
}

export const AssetCheck = ({ asset: { id, fileName }, selection }: Props) => (
  <input
    aria-label={t('media.select', { name: fileName })}
    checked={selection.ids.has(id)}
    className="check"
    onChange={() => selection.toggle(id)}
    type="checkbox"
  />
);
