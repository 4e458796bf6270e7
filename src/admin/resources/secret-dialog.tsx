import { t } from '../texts/index.js';
import { CopyButton } from '../ui/copy-button.js';
import { Dialog } from '../ui/dialog.js';
import { labelOf } from './labels.js';

export interface Secret {
  readonly key: string;
  readonly value: string;
}

interface Props {
  readonly resource: string;
  readonly secrets: readonly Secret[];
  readonly onClose: () => void;
}

/** What the service returns once. It is kept nowhere. */
export function SecretDialog({ resource, secrets, onClose }: Props) {
  return (
    <Dialog onClose={onClose} title={t('secret.title')}>
      <p className="notice warn">{t('secret.hint')}</p>
      {secrets.map(({ key, value }) => (
        <div className="field" key={key}>
          <label className="label" htmlFor={`secret-${key}`}>
            {labelOf(resource, key)}
          </label>
          <div className="row">
            <input className="input code grow" id={`secret-${key}`} readOnly value={value} />
            <CopyButton text={value} />
          </div>
        </div>
      ))}
      <div className="actions">
        <button className="button primary" onClick={onClose} type="button">
          {t('secret.kept')}
        </button>
      </div>
    </Dialog>
  );
}
