import { useState } from 'react';
import type { ContentType } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { chosenColumns, columnFields, keepColumns } from './columns.js';

interface Props {
  readonly type: ContentType;
  readonly onChange: () => void;
}

/** Which fields of the type are columns, kept in this browser. */
export function ColumnMenu({ type, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const fields = columnFields(type);
  if (fields.length === 0) return null;
  const chosen = chosenColumns(type);
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
                onChange={({ target }) => {
                  keepColumns(
                    type,
                    target.checked ? [...chosen, apiName] : chosen.filter((one) => one !== apiName),
                  );
                  onChange();
                }}
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
