import { formatNumber, language, t, type TextKey } from '../texts/index.js';

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
