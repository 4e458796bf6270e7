import { failureText, formatNumber, t } from '../../texts/index.js';
import { ChangeView } from '../../ui/change-view.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { formerNames, type SchemaPlan, type SchemaStep } from './schema-document.js';

/** Of a plan, or of a difference that does not say what it would remove. */
export type ShownStep = Omit<SchemaStep, 'lost' | 'blocker'> & Partial<Pick<SchemaStep, 'lost' | 'blocker'>>;

const pathOf = ({ name, contentType }: ShownStep): string =>
  contentType === null ? name : `${contentType}.${name}`;

function Changes({ changes }: ShownStep) {
  if (changes.length === 0) return <>–</>;
  return (
    <details>
      <summary>{changes.map(({ key }) => key).join(', ')}</summary>
      {changes.map(({ key, before, after }) => (
        <ChangeView change={{ path: [key], from: before, to: after }} key={key} />
      ))}
    </details>
  );
}

function Effect({ lost = null, blocker = null }: ShownStep) {
  if (lost === null && blocker === null) return <>–</>;
  return (
    <>
      {lost !== null && (
        <p className={lost.entries === 0 ? 'soft' : 'problem'}>
          {t('schema.lost', { values: formatNumber(lost.values), entries: formatNumber(lost.entries) })}
        </p>
      )}
      {blocker !== null && (
        <p className="problem">{t('schema.blocked', { reason: failureText(blocker.code, blocker.code) })}</p>
      )}
    </>
  );
}

interface RenameProps {
  readonly step: ShownStep;
  readonly names: readonly string[];
  readonly onRename: (from: string) => void;
}

/** Something new may be what the plan deletes under another name. */
function RenameChoice({ step, names, onRename }: RenameProps) {
  if (names.length === 0) return null;
  return (
    <select
      aria-label={t('schema.renamedFrom', { name: pathOf(step) })}
      className="select compact"
      onChange={({ target }) => onRename(target.value)}
      value=""
    >
      <option value="">{t('schema.notRenamed')}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {t('schema.wasNamed', { name })}
        </option>
      ))}
    </select>
  );
}

interface Props {
  readonly label: string;
  readonly steps: readonly ShownStep[];
  readonly warnings?: SchemaPlan['warnings'];
  /** Absent where the document cannot be changed. */
  readonly onRename?: ((step: SchemaStep, from: string) => void) | undefined;
}

const isStep = (step: ShownStep): step is SchemaStep => step.lost !== undefined && step.blocker !== undefined;

const columnsOf = ({ steps, onRename }: Props): Column<ShownStep>[] => [
  {
    key: 'action',
    label: t('schema.step'),
    cell: ({ action }) => <span className={`badge plan-${action}`}>{t(`schema.action.${action}`)}</span>,
  },
  {
    key: 'item',
    label: t('schema.item'),
    cell: (step) => (
      <>
        <span className="code">{pathOf(step)}</span>{' '}
        <span className="soft small">{t(`schema.kind.${step.kind}`)}</span>
        {step.from !== null && <p className="soft small">{t('schema.wasNamed', { name: step.from })}</p>}
        {onRename !== undefined && isStep(step) && (
          <RenameChoice
            names={formerNames({ steps: steps.filter(isStep) }, step)}
            onRename={(from) => onRename(step, from)}
            step={step}
          />
        )}
      </>
    ),
  },
  { key: 'effect', label: t('schema.effect'), cell: (step) => <Effect {...step} /> },
  { key: 'changes', label: t('schema.changes'), isWide: true, cell: (step) => <Changes {...step} /> },
];

/** The steps of a plan, each with what it removes and what prevents it. */
export function PlanView(props: Props) {
  const { label, steps, warnings = [] } = props;
  if (steps.length === 0) return <p>{t('schema.equal')}</p>;
  return (
    <>
      <DataTable
        columns={columnsOf(props)}
        keyOf={(step, index) => `${step.kind} ${pathOf(step)} ${index}`}
        label={label}
        rows={steps}
      />
      {warnings.map(({ code, contentType, field, target }) => (
        <p className="notice" key={`${contentType}.${field} ${target}`}>
          {t(`schema.warning.${code}`, { field: `${contentType}.${field}`, target })}
        </p>
      ))}
    </>
  );
}
