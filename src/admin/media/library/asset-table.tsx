import { formatBytes, formatNumber, formatTime, t } from '../../texts/index.js';
import { Thumbnail } from '../asset-card.js';
import { AssetCheck } from './asset-check.js';
import { lacksAlt, type AssetViewProps } from './asset-grid.js';
import { AssetLink } from './asset-link.js';

/** One row per file, for many of them. */
export function AssetTable({ assets, selection }: AssetViewProps) {
  return (
    <table className="plain-table">
      <thead>
        <tr>
          {selection !== undefined && (
            <th>
              <span className="hidden-text">{t('media.selection')}</span>
            </th>
          )}
          <th>{t('media.fileName')}</th>
          <th className="wide-only">{t('media.altText')}</th>
          <th>{t('media.size')}</th>
          <th className="wide-only">{t('media.usesColumn')}</th>
          <th className="wide-only">{t('column.updated')}</th>
        </tr>
      </thead>
      <tbody>
        {assets.map((asset) => (
          <tr key={asset.id}>
            {selection !== undefined && (
              <td>
                <AssetCheck asset={asset} selection={selection} />
              </td>
            )}
            <td className="name-cell">
              <AssetLink asset={asset} className="row-link row tight">
                <Thumbnail asset={asset} />
                <span className="clip">{asset.fileName}</span>
              </AssetLink>
            </td>
            <td className="wide-only clip">
              {lacksAlt(asset) ? <span className="badge changed">{t('media.noAlt')}</span> : asset.altText}
            </td>
            <td>{formatBytes(asset.size)}</td>
            <td className="wide-only">{formatNumber(asset.usageCount)}</td>
            <td className="wide-only soft">{formatTime(asset.updatedAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
