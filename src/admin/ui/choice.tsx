import type { ReactNode } from 'react';
import { t } from '../texts/index.js';

interface Props {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  /** The options besides "all". */
  readonly children: ReactNode;
}

/** A filter that names what it filters by while it filters nothing. */
export function Choice({ label, value, onChange, children }: Props) {
  return (
    <select
      aria-label={label}
      className="select compact"
      onChange={({ target }) => onChange(target.value || undefined)}
      value={value ?? ''}
    >
      <option value="">
        {label}: {t('list.any')}
      </option>
      {children}
    </select>
  );
}
