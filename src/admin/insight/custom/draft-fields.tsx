import type { ReactNode } from 'react';
import type { Problems } from './definition.js';

interface FieldProps {
  readonly label: string;
  /** Name of the property, whose problems are shown. */
  readonly name: string;
  readonly problems: Problems;
  readonly children: ReactNode;
}

const messagesOf = (problems: Problems, name: string): string[] => [
  ...new Set(problems.filter(({ path }) => path[0] === name).map(({ message }) => message)),
];

export function FormField({ label, name, problems, children }: FieldProps) {
  const messages = messagesOf(problems, name);
  return (
    <label className="field">
      <span className="label">{label}</span>
      {children}
      {messages.map((message) => (
        <span className="problem" key={message} role="alert">
          {message}
        </span>
      ))}
    </label>
  );
}

/** Several controls with one title. */
export function FormGroup({ label, name, problems, children }: FieldProps) {
  const messages = messagesOf(problems, name);
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      {children}
      {messages.map((message) => (
        <span className="problem" key={message} role="alert">
          {message}
        </span>
      ))}
    </fieldset>
  );
}

interface OptionProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly T[];
  readonly textOf: (option: T) => string;
  readonly onChange: (option: T) => void;
}

/** A choice among the values of a contract. */
export function OptionSelect<T extends string>({ label, value, options, textOf, onChange }: OptionProps<T>) {
  return (
    <select
      aria-label={label}
      className="select"
      onChange={({ target }) => onChange(target.value as T)}
      value={value}
    >
      {options.map((option) => (
        <option key={option} value={option}>
          {textOf(option)}
        </option>
      ))}
    </select>
  );
}
