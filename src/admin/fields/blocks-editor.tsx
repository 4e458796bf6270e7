import { useState } from 'react';
import { typeOf, useProject } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { BlockItem, type BlockValue } from './block-item.js';
import type { FieldEditorProps } from './field-editor.js';
import { allowedTypes } from './link-editors.js';
import { ListEditor } from './list-editor.js';

/** Types of new blocks. Absent settings allow every type of blocks. */
function useBlockTypes({ field }: FieldEditorProps) {
  const { types } = useProject();
  const allowed = allowedTypes(field);
  return types.filter(({ apiName, isBlock }) => allowed?.includes(apiName) ?? isBlock);
}

/** The parts of a page: each is written with the entry that contains it. */
export function BlocksEditor(props: FieldEditorProps) {
  const project = useProject();
  const types = useBlockTypes(props);
  const [isOpen, setIsOpen] = useState(false);
  const { label, value, isReadOnly, onChange } = props;
  const items = Array.isArray(value) ? (value as BlockValue[]) : [];
  const add = (apiName: string): void => {
    const fields = typeOf(project, apiName)?.fields.flatMap((field) =>
      field.defaultValue === null ? [] : [[field.apiName, field.defaultValue] as const],
    );
    onChange([...items, { _type: apiName, fields: Object.fromEntries(fields ?? []) }]);
    setIsOpen(false);
  };
  return (
    <>
      <ListEditor {...props} hasOwnAdd item={(item) => <BlockItem {...props} {...item} />} />
      {!isReadOnly && types.length > 0 && (
        <button
          aria-label={t('field.addTo', { field: label })}
          className="button"
          onClick={() => setIsOpen(true)}
          type="button"
        >
          <Icon name="add" />
          {t('field.add')}
        </button>
      )}
      {isOpen && (
        <Dialog onClose={() => setIsOpen(false)} title={t('field.addTo', { field: label })}>
          <ul className="choices">
            {types.map(({ apiName, name }) => (
              <li key={apiName}>
                <button className="choice" onClick={() => add(apiName)} type="button">
                  <Icon name="type" />
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
