import { useId, type ReactNode } from 'react';
import { RoleChecks, useRoles } from '../../administration/role-checks.js';
import { labelOf } from '../../resources/labels.js';
import { IconButton } from '../../ui/icon-button.js';
import { t } from '../../texts/index.js';

const label = (key: string): string => labelOf('workflows', key);

interface TextPartProps {
  /** By which its label is found. */
  readonly name: string;
  readonly value: string;
  readonly isReadOnly?: boolean;
  readonly onChange: (value: string) => void;
}

export function TextPart({ name, value, isReadOnly = false, onChange }: TextPartProps) {
  return (
    <label className="field">
      <span className="label">{label(name)}</span>
      <input
        className="input"
        onChange={({ target }) => onChange(target.value)}
        readOnly={isReadOnly}
        value={value}
      />
    </label>
  );
}

interface CheckPartProps {
  readonly name: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

export function CheckPart({ name, value, onChange }: CheckPartProps) {
  return (
    <label className="row tight">
      <input checked={value} onChange={({ target }) => onChange(target.checked)} type="checkbox" />
      {label(name)}
    </label>
  );
}

interface RolePartProps {
  readonly name: string;
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
}

/** Roles, folded up because most workflows name few. */
export function RolePart({ name, value, onChange }: RolePartProps) {
  const id = useId();
  const { data = [] } = useRoles();
  const chosen = value.map((roleId) => data.find((role) => role.id === roleId)?.name ?? roleId);
  return (
    <details className="fold">
      <summary>
        {label(name)}: {chosen.length === 0 ? t('workflows.everyRole') : chosen.join(', ')}
      </summary>
      <RoleChecks
        describedBy={id}
        id={id}
        isInvalid={false}
        isReadOnly={false}
        label={label(name)}
        onChange={(next) => onChange(next as string[])}
        value={value}
      />
    </details>
  );
}

interface PartProps {
  readonly title: string;
  readonly onRemove: () => void;
  /** Absent for what has no order. */
  readonly onUp?: (() => void) | undefined;
  readonly children: ReactNode;
}

/** One state or transition of the form. */
export function Part({ title, onRemove, onUp, children }: PartProps) {
  return (
    <fieldset className="workflow-part">
      <legend className="hidden-text">{title}</legend>
      <div className="row tight">
        <strong className="grow small">{title}</strong>
        {onUp !== undefined && <IconButton icon="up" label={`${t('field.up')}: ${title}`} onClick={onUp} />}
        <IconButton icon="close" label={`${t('field.remove')}: ${title}`} onClick={onRemove} />
      </div>
      {children}
    </fieldset>
  );
}
