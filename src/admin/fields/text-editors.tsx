import { controlOf, type Control, type ControlProps } from './field-editor.js';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const onText =
  ({ onChange }: ControlProps) =>
  ({ target }: { readonly target: { readonly value: string } }) =>
    onChange(target.value === '' ? null : target.value);

const line =
  (type: 'text' | 'url' | 'email' | 'date'): Control =>
  (props) => (
    <input
      {...controlOf(props)}
      className="input"
      dir={type === 'text' ? 'auto' : undefined}
      onChange={onText(props)}
      readOnly={props.isReadOnly}
      type={type}
      value={textOf(props.value)}
    />
  );

export const TextEditor = line('text');
export const UrlEditor = line('url');
export const EmailEditor = line('email');
export const DateEditor = line('date');

export const LongTextEditor: Control = (props) => (
  <textarea
    {...controlOf(props)}
    className="area"
    dir="auto"
    onChange={onText(props)}
    readOnly={props.isReadOnly}
    value={textOf(props.value)}
  />
);

const color = /^#[0-9a-f]{6}/i;

/** With opacity it is typed. */
export const ColorEditor: Control = (props) => (
  <span className="row tight">
    <input
      aria-label={props.label}
      className="swatch"
      disabled={props.isReadOnly}
      onChange={onText(props)}
      type="color"
      value={color.exec(textOf(props.value))?.[0] ?? '#000000'}
    />
    <TextEditor {...props} />
  </span>
);
