import type { ReactNode } from 'react';
import { formatNumber, formatTime, language, t, type TextKey } from '../texts/index.js';
import type { Column } from '../ui/data-table.js';

const percent = new Intl.NumberFormat(language, { style: 'percent' });

/** The numbers of a summary; its other values are shown elsewhere. */
export const Figures = ({ summary }: { readonly summary: Readonly<Record<string, unknown>> }) => (
  <dl className="figures">
    {Object.entries(summary).map(([key, value]) =>
      typeof value === 'number' ? (
        <div key={key}>
          <dt>{t(`figure.${key}` as TextKey)}</dt>
          <dd>{key === 'score' ? percent.format(value / 100) : formatNumber(value)}</dd>
        </div>
      ) : null,
    )}
  </dl>
);

/** A column of counts. */
export const count = <Key extends string>(key: Key): Column<Readonly<Record<Key, number>>> => ({
  key,
  label: t(`figure.${key}` as TextKey),
  isNumber: true,
  cell: (row) => formatNumber(row[key]),
});

/** When something happened, or a dash. */
export const time = (label: string, at: string | null): ReactNode => (
  <span className="soft" title={label}>
    {at === null ? '–' : formatTime(at)}
  </span>
);
