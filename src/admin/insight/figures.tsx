import { formatNumber, t, type TextKey } from '../texts/index.js';

/** The numbers of a summary; its other values are shown elsewhere. */
export const Figures = ({ summary }: { readonly summary: Readonly<Record<string, unknown>> }) => (
  <dl className="figures">
    {Object.entries(summary).map(([key, value]) =>
      typeof value === 'number' ? (
        <div key={key}>
          <dt>{t(`figure.${key}` as TextKey)}</dt>
          <dd>{formatNumber(value)}</dd>
        </div>
      ) : null,
    )}
  </dl>
);
