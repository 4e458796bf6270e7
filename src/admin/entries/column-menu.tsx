import { useState } from 'react';
import type { ContentType } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { columnFields } from './columns.js';

interface Props {
  readonly type: ContentType;
  readonly chosen: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

/** Which fields of the type are columns. */
export function ColumnMenu({ type, chosen, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const fields = columnFields(type);
  if (fields.length === 0) return null;
  return (
    <>
      <button className="button" onClick={() => setIsOpen(true)} type="button">
        {t('list.columns')}
      </button>
      {isOpen && (
        <Dialog onClose={() => setIsOpen(false)} title={t('list.columns')}>
          {fields.map(({ apiName, name }) => (
            <label className="row" key={apiName}>
              <input
                checked={chosen.includes(apiName)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, apiName] : chosen.filter((one) => one !== apiName))
                }
                type="checkbox"
              />
              {name}
            </label>
          ))}
        </Dialog>
      )}
    </>
  );
}
