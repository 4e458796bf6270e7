import { Link } from '@tanstack/react-router';
import type { Outputs } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { plainPath } from '../editor/paths.js';
import { ValueView } from '../editor/value-view.js';
import { optionLabel } from '../resources/labels.js';
import { localeName, t } from '../texts/index.js';
import { DataTable } from '../ui/data-table.js';

export type Difference = Outputs['promotions']['diff']['data'][number];
type Value = Difference['values'][number];

/** Names an item among those of all kinds. */
export const differenceKey = ({ kind, id }: Pick<Difference, 'kind' | 'id'>): string => `${kind}/${id}`;

interface Props {
  readonly label: string;
  readonly source: string;
  readonly target: string;
  readonly rows: readonly Difference[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoice: (row: Difference, isChosen: boolean) => void;
}

const placeOf = ({ field, locale }: Value): string =>
  [
    field === null ? t('promote.whole') : plainPath(field),
    ...(locale === null ? [] : [localeName(locale)]),
  ].join(' · ');

/** What a value was when the environments were equal, and what it is in each. */
export function DifferentValues({ values }: { readonly values: readonly Value[] }) {
  if (values.length === 0) return <>–</>;
  return (
    <details>
      <summary>{values.map(placeOf).join(', ')}</summary>
      {values.map((value) => (
        <div key={`${value.field ?? ''} ${value.locale ?? ''}`}>
          <h3>{placeOf(value)}</h3>
          <dl className="facts">
            {(['base', 'source', 'target'] as const).map((side) => (
              <div key={side}>
                <dt>{t(`promote.${side}`)}</dt>
                <dd>
                  <ValueView value={value[side]} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </details>
  );
}

interface NameProps {
  readonly row: Difference;
  /** In which the item is. */
  readonly environment: string;
}

/** An entry is opened by its name. */
function ItemName({ row: { kind, id, name }, environment }: NameProps) {
  const { slug: project } = useProject();
  if (kind !== 'entry') return name;
  return (
    <Link params={{ project, environment, entry: id }} to="/$project/$environment/entries/$entry">
      {name}
    </Link>
  );
}

const isPromotable = ({ change }: Difference): boolean => change !== 'none';

/** What differs between two environments; items can be chosen. */
export const DifferenceTable = ({ label, source, target, rows, chosen, onChoice }: Props) => (
  <DataTable
    columns={[
      {
        key: 'item',
        label: t('promote.item'),
        cell: (row) => (
          <label className="row tight">
            <input
              aria-label={t('promote.select', { name: row.name })}
              checked={chosen.has(differenceKey(row))}
              disabled={!isPromotable(row)}
              onChange={({ target }) => onChoice(row, target.checked)}
              type="checkbox"
            />
            <ItemName environment={row.change === 'deleted' ? target : source} row={row} />
          </label>
        ),
      },
      {
        key: 'change',
        label: t('promote.change'),
        cell: ({ change, isConflict }) => (
          <span className="row tight">
            <span className={`badge ${change}`}>{optionLabel('change', change)}</span>
            {isConflict && <span className="badge failed">{t('promote.conflict')}</span>}
          </span>
        ),
      },
      { key: 'kind', label: t('promote.kind'), isWide: true, cell: ({ kind }) => optionLabel('kind', kind) },
      {
        key: 'values',
        label: t('promote.values'),
        isWide: true,
        cell: ({ values }) => <DifferentValues values={values} />,
      },
    ]}
    keyOf={differenceKey}
    label={label}
    rows={rows}
  />
);
