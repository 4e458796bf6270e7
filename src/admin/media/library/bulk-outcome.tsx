import { failureText, t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import type { BulkResults } from './bulk-dialog.js';

interface Props {
  readonly refused: BulkResults;
  /** By id. */
  readonly names: ReadonlyMap<string, string>;
  /** Deletes also what is in use. */
  readonly onForce: () => void;
  readonly onClose: () => void;
}

/** Which files were refused, and why. */
export function BulkOutcome({ refused, names, onForce, onClose }: Props) {
  const used = refused.filter(({ error }) => error === 'media_in_use');
  return (
    <Dialog onClose={onClose} title={t('media.refused', { count: refused.length })}>
      <ul className="versions">
        {refused.map(({ assetId, error = '', message = '' }) => (
          <li className="version" key={assetId}>
            <strong className="clip">{names.get(assetId) ?? assetId}</strong>
            <span className="small">{failureText(error, message)}</span>
          </li>
        ))}
      </ul>
      <div className="actions">
        <button className="button" onClick={onClose} type="button">
          {t('app.close')}
        </button>
        {used.length > 0 && (
          <button className="button danger" onClick={onForce} type="button">
            {t('media.deleteUsed')}
          </button>
        )}
      </div>
    </Dialog>
  );
}
