import { useState } from 'react';
import { t } from '../texts/index.js';
import { controlOf, type ControlProps } from './field-editor.js';
import { useTyped } from './number-editors.js';

const print = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2);

/** Objects and other JSON values. What is not JSON yet is shown as such and changes nothing. */
export function JsonEditor(props: ControlProps) {
  const [text, type] = useTyped(props.value, print);
  const [reason, setReason] = useState<string>();
  const change = (typed: string): void => {
    try {
      const value: unknown = typed.trim() === '' ? null : JSON.parse(typed);
      setReason(undefined);
      type(typed, value);
      props.onChange(value);
    } catch (error) {
      setReason((error as Error).message);
      type(typed, props.value);
    }
  };
  return (
    <>
      <textarea
        {...controlOf(props)}
        aria-invalid={props.isInvalid || reason !== undefined}
        className="area code"
        onChange={({ target }) => change(target.value)}
        readOnly={props.isReadOnly}
        spellCheck={false}
        value={text}
      />
      {reason !== undefined && (
        <p className="problem" role="alert">
          {t('field.invalidJson', { reason })}
        </p>
      )}
    </>
  );
}
