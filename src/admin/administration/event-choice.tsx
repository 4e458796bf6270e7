import { eventNames } from '../../../contracts/change-names.js';
import type { ControlProps } from '../fields/field-editor.js';
import { maybeText, t } from '../texts/index.js';

const EVERY = '*';
/** Only tests have this event, which every webhook receives. */
const subjects = [...new Set(eventNames.map((name) => name.split('.')[0] ?? ''))].filter(
  (subject) => subject !== 'webhook',
);

const wholeOf = (subject: string): string => `${subject}.${EVERY}`;
const namesOf = (subject: string): string[] => eventNames.filter((name) => name.startsWith(`${subject}.`));
const groupText = (subject: string): string => maybeText(`event.group.${subject}`) ?? subject;

/** Such as "Entries: published". */
export function eventText(name: string): string {
  const [subject = '', verb = ''] = name.split('.');
  if (name === EVERY) return t('event.every');
  return `${groupText(subject)}: ${verb === EVERY ? t('event.whole') : (maybeText(`event.${verb}`) ?? verb)}`;
}

interface GroupProps {
  readonly subject: string;
  readonly chosen: readonly string[];
  readonly isReadOnly: boolean;
  readonly onChange: (chosen: readonly string[]) => void;
}

function EventGroup({ subject, chosen, isReadOnly, onChange }: GroupProps) {
  const names = namesOf(subject);
  const whole = wholeOf(subject);
  const isWhole = chosen.includes(whole);
  const count = isWhole ? names.length : names.filter((name) => chosen.includes(name)).length;
  const others = chosen.filter((one) => !one.startsWith(`${subject}.`));
  const check = (value: string, isChecked: boolean): void =>
    onChange(isChecked ? [...chosen, value] : chosen.filter((one) => one !== value));
  return (
    <details className="event-group" open={count > 0 ? true : undefined}>
      <summary>
        {count === 0 ? groupText(subject) : t('event.count', { group: groupText(subject), count })}
      </summary>
      <div className="checks">
        <label className="row tight">
          <input
            checked={isWhole}
            disabled={isReadOnly}
            onChange={({ target }) => onChange(target.checked ? [...others, whole] : others)}
            type="checkbox"
          />
          {t('event.whole')}
        </label>
        {names.map((name) => (
          <label className="row tight" key={name}>
            <input
              aria-label={eventText(name)}
              checked={isWhole || chosen.includes(name)}
              disabled={isReadOnly || isWhole}
              onChange={({ target }) => check(name, target.checked)}
              type="checkbox"
            />
            {maybeText(`event.${name.split('.')[1] ?? ''}`) ?? name}
          </label>
        ))}
      </div>
    </details>
  );
}

/** Every event, or those of some groups. */
export function EventChoice({ id, value, isReadOnly, onChange }: ControlProps) {
  const chosen = Array.isArray(value) ? (value as string[]) : [];
  const isEvery = chosen.includes(EVERY);
  return (
    <div className="stack" id={id}>
      <div className="checks">
        {[true, false].map((every) => (
          <label className="row tight" key={String(every)}>
            <input
              checked={isEvery === every}
              disabled={isReadOnly}
              name={`${id}-every`}
              onChange={() => onChange(every ? [EVERY] : [])}
              type="radio"
            />
            {t(every ? 'event.every' : 'event.some')}
          </label>
        ))}
      </div>
      {!isEvery && (
        <div>
          {subjects.map((subject) => (
            <EventGroup
              chosen={chosen}
              isReadOnly={isReadOnly}
              key={subject}
              onChange={onChange}
              subject={subject}
            />
          ))}
        </div>
      )}
    </div>
  );
}
