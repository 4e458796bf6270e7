import { t } from '../texts/index.js';
import { DayInput } from '../ui/day-input.js';
import { timeZones } from '../ui/time-zone.js';
import {
  DEFAULT_DAYS,
  daysOf,
  granularities,
  periodDays,
  zoneOf,
  type Granularity,
  type Period,
} from './period.js';

interface Props {
  readonly period: Period;
  readonly onChange: (period: Period) => void;
  /** What an empty period means; without it, it is the last 30 days. */
  readonly unset?: string;
  /** Whether figures are grouped by days, weeks or months. */
  readonly isGrouped?: boolean;
}

const OWN = 'own';

/** The last days or chosen ones, the length of a bucket, and the time zone of the days. */
export function PeriodFilter({ period, onChange, unset, isGrouped = true }: Props) {
  const { from, to } = daysOf(period);
  const isOwn = period.from !== undefined;
  const isUnset = unset !== undefined && period.days === undefined && !isOwn;
  const rest = { granularity: period.granularity, timezone: period.timezone };
  const chosen = (value: string): Period => {
    if (value === '') return {};
    return value === OWN ? { ...rest, from, to } : { ...rest, days: Number(value) };
  };
  return (
    <>
      <select
        aria-label={t('period.label')}
        className="select compact"
        onChange={({ target }) => onChange(chosen(target.value))}
        value={isUnset ? '' : isOwn ? OWN : (period.days ?? DEFAULT_DAYS)}
      >
        {unset !== undefined && <option value="">{unset}</option>}
        {periodDays.map((days) => (
          <option key={days} value={days}>
            {t('period.days', { days })}
          </option>
        ))}
        <option value={OWN}>{t('period.own')}</option>
      </select>
      {isOwn && (
        <>
          <DayInput
            label={t('insight.from')}
            onChange={(day) => onChange({ ...period, from: day ?? from })}
            value={from}
          />
          <DayInput
            label={t('insight.to')}
            onChange={(day) => onChange({ ...period, to: day ?? to })}
            value={to}
          />
        </>
      )}
      {isGrouped && !isUnset && <BucketFilter onChange={onChange} period={period} />}
    </>
  );
}

function BucketFilter({ period, onChange }: Pick<Props, 'period' | 'onChange'>) {
  return (
    <>
      <select
        aria-label={t('period.granularity')}
        className="select compact"
        onChange={({ target }) => onChange({ ...period, granularity: target.value as Granularity })}
        value={period.granularity ?? 'day'}
      >
        {granularities.map((one) => (
          <option key={one} value={one}>
            {t(`period.by.${one}`)}
          </option>
        ))}
      </select>
      <select
        aria-label={t('period.timezone')}
        className="select compact"
        onChange={({ target }) => onChange({ ...period, timezone: target.value })}
        value={zoneOf(period)}
      >
        {[...new Set([zoneOf(period), ...timeZones])].map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </select>
    </>
  );
}
