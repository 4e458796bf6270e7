import { useState } from 'react';
import type { ControlProps } from '../fields/field-editor.js';
import { t } from '../texts/index.js';
import type { Option } from './property.js';

interface Choice {
  readonly value: Option;
  readonly label: string;
}

interface Props extends ControlProps {
  readonly options: readonly Choice[];
}

/** More options than this are found by typing. */
const MANY = 16;

/** Several of the options, in their order. Values that are no option any more stay chosen until they are removed. */
export function OptionChecks({ options, value, label, isReadOnly, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const chosen = Array.isArray(value) ? (value as Option[]) : [];
  const known = new Set(options.map((option) => option.value));
  const all = [
    ...options,
    ...chosen.filter((one) => !known.has(one)).map((one) => ({ value: one, label: String(one) })),
  ];
  const shown = all.filter((option) => option.label.toLowerCase().includes(typed.trim().toLowerCase()));
  const isMany = all.length > MANY;
  return (
    <>
      {isMany && (
        <input
          aria-label={t('form.find', { field: label })}
          className="input"
          onChange={({ target }) => setTyped(target.value)}
          placeholder={t('pick.search')}
          type="search"
          value={typed}
        />
      )}
      {all.length === 0 && <p className="soft">{t('field.none')}</p>}
      <div className={isMany ? 'checks many' : 'checks'}>
        {shown.map((option) => (
          <label className="row tight" key={option.value}>
            <input
              checked={chosen.includes(option.value)}
              disabled={isReadOnly}
              onChange={({ target }) =>
                onChange(
                  all
                    .map((one) => one.value)
                    .filter((one) => (one === option.value ? target.checked : chosen.includes(one))),
                )
              }
              type="checkbox"
            />
            {option.label}
          </label>
        ))}
      </div>
    </>
  );
}
