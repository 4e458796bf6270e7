import { t } from '../texts/index.js';
import { controlOf, type Control, type ControlProps } from './field-editor.js';
import { useState } from 'react';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';

/**
 * What was typed for a value that has another form than its text, such as a number. It is kept as it was typed until
 * the value changes from elsewhere.
 */
export function useTyped(
  value: unknown,
  print: (value: unknown) => string,
): [text: string, type: (text: string, value: unknown) => void] {
  const [typed, setTyped] = useState(() => ({ text: print(value), value }));
  let { text } = typed;
  if (!isEqualJson(typed.value ?? null, value ?? null)) {
    text = print(value);
    setTyped({ text, value });
  }
  return [text, (next, meant) => setTyped({ text: next, value: meant })];
}

const print = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';

/** What is not a number is sent as it was typed, so that the service says what is wrong with it. */
function meantBy(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : trimmed;
}

export function NumberEditor(props: ControlProps) {
  const [text, type] = useTyped(props.value, print);
  return (
    <input
      {...controlOf(props)}
      className="input number"
      inputMode="decimal"
      onChange={({ target }) => {
        const value = meantBy(target.value);
        type(target.value, value);
        props.onChange(value);
      }}
      readOnly={props.isReadOnly}
      value={text}
    />
  );
}

interface Coordinates {
  readonly lat?: unknown;
  readonly lng?: unknown;
}

export const LocationEditor: Control = (props) => {
  const place = (props.value ?? {}) as Coordinates;
  return (
    <div className="row">
      {(['lat', 'lng'] as const).map((axis) => (
        <label className="field grow" key={axis}>
          <span className="hint">{t(`field.${axis}`)}</span>
          <NumberEditor
            {...props}
            id={`${props.id}-${axis}`}
            onChange={(value) => {
              const next = { ...place, [axis]: value };
              props.onChange((next.lat ?? next.lng ?? null) === null ? null : next);
            }}
            value={place[axis]}
          />
        </label>
      ))}
    </div>
  );
};

const two = (number: number): string => String(number).padStart(2, '0');

/** As `datetime-local` has it, in the time zone of the browser. */
function localText(value: unknown): string {
  const time = typeof value === 'string' ? new Date(value) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) return '';
  const day = `${String(time.getFullYear()).padStart(4, '0')}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

export const DateTimeEditor: Control = (props) => (
  <input
    {...controlOf(props)}
    className="input date-time"
    onChange={({ target }) => {
      const time = new Date(target.value);
      props.onChange(Number.isNaN(time.getTime()) ? null : time.toISOString());
    }}
    readOnly={props.isReadOnly}
    step={1}
    type="datetime-local"
    value={localText(props.value)}
  />
);
