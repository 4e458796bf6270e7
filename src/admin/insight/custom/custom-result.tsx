import type { Outputs } from '../../api/client.js';
import { formatNumber, formatTime, t } from '../../texts/index.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { Empty } from '../../ui/states.js';
import { ChartImage } from '../chart-image.js';

type Answer = Outputs['customReports']['run'];
type Row = Answer['data']['rows'][number];

/** Numbers, times, or nothing. */
function valueText(value: number | string | null | undefined): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'number' ? formatNumber(value) : formatTime(value);
}

function columnsOf({ groupBy, metrics }: Answer['data']): Column<Row>[] {
  return [
    ...groupBy.map((key) => ({
      key,
      label: key,
      cell: ({ groups }: Row) => groups[key]?.label ?? '–',
    })),
    ...metrics.map((name) => ({
      key: `metric ${name}`,
      label: name,
      isNumber: true,
      cell: ({ values }: Row) => valueText(values[name]),
    })),
  ];
}

export function CustomResult({ answer, name }: { readonly answer: Answer; readonly name: string }) {
  const { data, meta } = answer;
  const { totals, rows, svg, chart } = data;
  return (
    <>
      <dl className="figures">
        {Object.entries(totals).map(([metric, value]) => (
          <div key={metric}>
            <dt>{metric}</dt>
            <dd>{valueText(value)}</dd>
          </div>
        ))}
      </dl>
      {meta.truncated && (
        <p className="notice truncated" role="status">
          {t('custom.truncated', { shown: formatNumber(rows.length), groups: formatNumber(meta.groups) })}
        </p>
      )}
      {svg !== undefined && chart !== 'table' && <ChartImage label={name} svg={svg} />}
      {rows.length === 0 ? (
        <Empty title={t('report.empty')} />
      ) : (
        <DataTable
          columns={columnsOf(data)}
          keyOf={({ groups }) => JSON.stringify(Object.values(groups).map(({ value }) => value))}
          label={name}
          rows={rows}
        />
      )}
    </>
  );
}
