import { useId, useState } from 'react';
import type { Failure } from '../api/failure.js';
import type { Project } from '../api/project-data.js';
import { maybeText, t } from '../texts/index.js';
import { instantOf, isTimeZone, ownTimeZone, timeZones } from '../ui/time-zone.js';

const scheduledKinds = ['publish', 'unpublish'] as const;
export type ScheduledKind = (typeof scheduledKinds)[number];

/** What the user may schedule in a locale; in any one without it. */
export const schedulable = ({ may }: Pick<Project, 'may'>, locale: string | undefined): ScheduledKind[] =>
  scheduledKinds.filter((kind) => may(`entries.${kind}`, locale === undefined ? {} : { locale }));

interface KindProps {
  readonly permitted: readonly ScheduledKind[];
  readonly kind: ScheduledKind;
  readonly onChange: (kind: ScheduledKind) => void;
}

/** The choice of what is scheduled. */
export function ScheduledKindField({ permitted, kind, onChange }: KindProps) {
  return (
    <label className="field">
      <span className="label">{t('schedule.action')}</span>
      <select
        className="select"
        onChange={({ target }) => onChange(target.value as ScheduledKind)}
        value={kind}
      >
        {permitted.map((one) => (
          <option key={one} value={one}>
            {t(`entry.${one}`)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A time to come in a zone, as it is typed. */
export interface ZonedTime {
  readonly time: string;
  readonly timezone: string;
  readonly problems: Readonly<Partial<Record<'time' | 'timezone', string | undefined>>>;
  /** What a call takes; undefined while it is not complete or not in the future. */
  readonly input: { readonly scheduledAt: string; readonly timezone: string } | undefined;
  type(change: { readonly time?: string; readonly timezone?: string }): void;
}

const issueAt = (failure: Failure | undefined, name: string): string | undefined => {
  const issue = failure?.issues.find(({ path }) => path.at(-1) === name);
  return issue === undefined ? undefined : (maybeText(`issue.${issue.code}`) ?? issue.message);
};

/** @param failure of the last call, whose issues are shown at their fields */
export function useZonedTime(failure: Failure | undefined): ZonedTime {
  const [typed, setTyped] = useState({ time: '', timezone: ownTimeZone });
  const { time, timezone } = typed;
  const isZone = isTimeZone(timezone);
  const isPast = time !== '' && isZone && Date.parse(instantOf(time, timezone)) <= Date.now();
  return {
    ...typed,
    problems: {
      time: isPast ? t('schedule.past', { zone: timezone }) : issueAt(failure, 'scheduledAt'),
      timezone: isZone ? issueAt(failure, 'timezone') : t('schedule.noZone'),
    },
    input: time !== '' && isZone && !isPast ? { scheduledAt: `${time}:00`, timezone } : undefined,
    type: (change) => setTyped({ ...typed, ...change }),
  };
}

function Problem({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  return (
    <span aria-live="polite" className="problem" id={id}>
      {text}
    </span>
  );
}

/** Day and hour, and the zone that they are in, which is found by typing a part of its name. */
export function ZonedTimeFields({ value }: { readonly value: ZonedTime }) {
  const id = useId();
  const { time, timezone, problems, type } = value;
  return (
    <>
      <div className="field">
        <label className="label" htmlFor={`${id}-time`}>
          {t('schedule.time')}
        </label>
        <input
          aria-describedby={`${id}-time-problem`}
          aria-invalid={problems.time !== undefined}
          className="input"
          id={`${id}-time`}
          onChange={({ target }) => type({ time: target.value })}
          type="datetime-local"
          value={time}
        />
        <Problem id={`${id}-time-problem`} text={problems.time} />
      </div>
      <div className="field">
        <label className="label" htmlFor={`${id}-zone`}>
          {t('schedule.zone')}
        </label>
        <input
          aria-describedby={`${id}-zone-problem`}
          aria-invalid={problems.timezone !== undefined}
          className="input"
          id={`${id}-zone`}
          list={`${id}-zones`}
          onChange={({ target }) => type({ timezone: target.value })}
          onFocus={({ target }) => target.select()}
          spellCheck={false}
          value={timezone}
        />
        <datalist id={`${id}-zones`}>
          {timeZones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <Problem id={`${id}-zone-problem`} text={problems.timezone} />
      </div>
    </>
  );
}
