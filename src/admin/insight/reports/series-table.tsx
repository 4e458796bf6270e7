import { formatNumber, t, type TextKey } from '../../texts/index.js';
import { DataTable } from '../../ui/data-table.js';

type Bucket = Readonly<Record<string, string | number>>;

/** The figures of the chart, latest first. */
export function SeriesTable({ series }: { readonly series: readonly Bucket[] }) {
  const keys = Object.keys(series[0] ?? {}).filter((key) => key !== 'date');
  return (
    <details className="fold">
      <summary>{t('report.series')}</summary>
      <DataTable
        columns={[
          { key: 'date', label: t('report.date'), cell: ({ date }: Bucket) => date },
          ...keys.map((key) => ({
            key,
            label: t(`figure.${key}` as TextKey),
            isNumber: true,
            cell: (bucket: Bucket) => formatNumber(Number(bucket[key])),
          })),
        ]}
        keyOf={({ date }) => String(date)}
        label={t('report.series')}
        rows={series.toReversed()}
      />
    </details>
  );
}
