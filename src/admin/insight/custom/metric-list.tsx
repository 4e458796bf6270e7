import { limits } from '../../../../contracts/limits.js';
import { t } from '../../texts/index.js';
import { IconButton } from '../../ui/icon-button.js';
import { metricFields, operations, type Draft, type Metric, type Problems } from './definition.js';
import { FormGroup, OptionSelect } from './draft-fields.js';

interface Props {
  readonly draft: Draft;
  readonly numberFields: readonly string[];
  readonly problems: Problems;
  readonly textOf: (key: string) => string;
  readonly onChange: (metrics: readonly Metric[]) => void;
}

/** What is calculated for each group. */
export function MetricList({ draft, numberFields, problems, textOf, onChange }: Props) {
  const { source, metrics } = draft;
  const replace = (at: number, metric: Metric): void => onChange(metrics.with(at, metric));
  const ofOperation = (op: Metric['op']): Metric => {
    const [field] = metricFields(source, op, numberFields);
    return field === undefined ? { op } : { op, field };
  };
  return (
    <FormGroup label={t('custom.metrics')} name="metrics" problems={problems}>
      {metrics.map((metric, at) => {
        const fields = metricFields(source, metric.op, numberFields);
        const number = { number: at + 1 };
        return (
          <div className="row tight" key={at}>
            <OptionSelect
              label={t('custom.operation', number)}
              onChange={(op) => replace(at, ofOperation(op))}
              options={operations}
              textOf={(op) => t(`custom.op.${op}`)}
              value={metric.op}
            />
            {metric.op !== 'count' && (
              <OptionSelect
                label={t('custom.field', number)}
                onChange={(field) => replace(at, { ...metric, field })}
                options={[...new Set([metric.field ?? '', ...fields])]}
                textOf={(field) => (field === '' ? t('field.choose') : textOf(field))}
                value={metric.field ?? ''}
              />
            )}
            {metrics.length > 1 && (
              <IconButton
                icon="close"
                label={t('field.remove')}
                onClick={() => onChange(metrics.toSpliced(at, 1))}
              />
            )}
          </div>
        );
      })}
      {metrics.length < limits.customReportMetrics && (
        <p>
          <button className="button" onClick={() => onChange([...metrics, { op: 'count' }])} type="button">
            {t('custom.addMetric')}
          </button>
        </p>
      )}
    </FormGroup>
  );
}
