import type { Asset } from '../../api/project-data.js';
import { formatBytes, t } from '../../texts/index.js';
import { Thumbnail } from '../asset-card.js';
import { AssetCheck } from './asset-check.js';
import { AssetLink } from './asset-link.js';
import type { Selection } from './use-selection.js';

export interface AssetViewProps {
  readonly assets: readonly Asset[];
  /** Absent: nothing can be selected. */
  readonly selection: Selection | undefined;
}

export const lacksAlt = ({ mimeType, altText }: Asset): boolean =>
  mimeType.startsWith('image/') && (altText ?? '') === '';

export function AssetGrid({ assets, selection }: AssetViewProps) {
  return (
    <ul className="tiles">
      {assets.map((asset) => (
        <li className={selection?.ids.has(asset.id) === true ? 'tile selected' : 'tile'} key={asset.id}>
          <AssetLink asset={asset} className="tile-link">
            <Thumbnail asset={asset} />
            <span className="clip">{asset.fileName}</span>
          </AssetLink>
          <p className="row tile-facts">
            <span className="soft small grow">{formatBytes(asset.size)}</span>
            {lacksAlt(asset) && <span className="badge changed">{t('media.noAlt')}</span>}
          </p>
          {selection !== undefined && <AssetCheck asset={asset} selection={selection} />}
        </li>
      ))}
    </ul>
  );
}
