import { t } from '../../texts/index.js';
import type { Folder } from '../media-queries.js';

interface Props {
  readonly label: string;
  readonly folders: readonly Folder[];
  readonly value: string | null;
  readonly isReadOnly?: boolean;
}

/** The field `folder` of a form; empty is none. */
export const FolderSelect = ({ label, folders, value, isReadOnly = false }: Props) => (
  <label className="field">
    <span className="label">{label}</span>
    <select className="select" defaultValue={value ?? ''} disabled={isReadOnly} name="folder">
      <option value="">{t('media.noFolder')}</option>
      {folders.map(({ id, path }) => (
        <option key={id} value={id}>
          {path}
        </option>
      ))}
    </select>
  </label>
);
