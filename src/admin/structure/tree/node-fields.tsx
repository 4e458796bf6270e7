import { useId } from 'react';
import { issueText, type Failure } from '../../api/failure.js';
import { t, type TextKey } from '../../texts/index.js';

export interface TextFieldProps {
  readonly label: TextKey;
  readonly hint?: TextKey;
  readonly value: string;
  readonly messages: readonly string[];
  readonly isFirst?: boolean;
  readonly onChange: (value: string) => void;
}

export function TextField({ label, hint, value, messages, isFirst = false, onChange }: TextFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {t(label)}
      </label>
      <input
        aria-describedby={`${id}-note`}
        aria-invalid={messages.length > 0}
        className="input"
        data-focus={isFirst ? true : undefined}
        id={id}
        onChange={({ target }) => onChange(target.value)}
        value={value}
      />
      <div id={`${id}-note`}>
        {hint !== undefined && <p className="hint">{t(hint)}</p>}
        {messages.map((message) => (
          <p className="problem" key={message}>
            {message}
          </p>
        ))}
      </div>
    </div>
  );
}

interface MenuProps {
  readonly isHidden: boolean;
  readonly onChange: (isHidden: boolean) => void;
}

export function HiddenCheck({ isHidden, onChange }: MenuProps) {
  return (
    <label className="row tight">
      <input
        checked={isHidden}
        className="check"
        onChange={({ target }) => onChange(target.checked)}
        type="checkbox"
      />
      {t('tree.hideInMenu')}
    </label>
  );
}

/** What a failed call says of one key. */
export const messagesAt = (failure: Failure | undefined, key: string): string[] =>
  failure?.code === 'slug_conflict' && key === 'slug'
    ? [t('tree.slugTaken')]
    : (failure?.issues ?? []).filter(({ path }) => path[0] === key).map(issueText);

/** What no field of the form shows. */
export function FormRefusal({
  failure,
  keys,
}: {
  readonly failure: Failure | undefined;
  readonly keys: readonly string[];
}) {
  if (failure === undefined || keys.some((key) => messagesAt(failure, key).length > 0)) return null;
  return (
    <p className="problem" role="alert">
      {failure.code === 'version_conflict' ? t('tree.conflict') : failure.problem}
    </p>
  );
}
