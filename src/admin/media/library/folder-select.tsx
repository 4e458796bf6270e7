import { t } from '../../texts/index.js';
import type { Folder } from '../media-queries.js';

interface Props {
  readonly label: string;
  readonly folders: readonly Folder[];
  readonly value: string | null;
  readonly isReadOnly?: boolean;
  /** Absent: the form around it reads what is chosen. */
  readonly onChange?: (value: string | null) => void;
}

/** The field `folder` of a form; empty is none. */
export const FolderSelect = ({ label, folders, value, isReadOnly = false, onChange }: Props) => (
  <label className="field">
    <span className="label">{label}</span>
    <select
      className="select"
      disabled={isReadOnly}
      name="folder"
      {...(onChange === undefined
        ? { defaultValue: value ?? '' }
        : { value: value ?? '', onChange: ({ target }) => onChange(target.value || null) })}
    >
      <option value="">{t('media.noFolder')}</option>
      {folders.map(({ id, path }) => (
        <option key={id} value={id}>
          {path}
        </option>
      ))}
    </select>
  </label>
);
