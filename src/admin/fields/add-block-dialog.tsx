import { useState } from 'react';
import type { ContentType, Entry } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { EntryPicker } from './entry-picker.js';

interface Props {
  /** Of the list that the block is added to. */
  readonly label: string;
  readonly types: readonly ContentType[];
  readonly onType: (type: ContentType) => void;
  readonly onLink: (entry: Entry) => void;
  readonly onClose: () => void;
}

/** Chooses what is added to a list of blocks: a new block of a type, or a shared one. */
export function AddBlockDialog({ label, types, onType, onLink, onClose }: Props) {
  const [isShared, setIsShared] = useState(false);
  if (isShared)
    return <EntryPicker onChoice={onLink} onClose={onClose} types={types.map(({ apiName }) => apiName)} />;
  return (
    <Dialog onClose={onClose} title={t('field.addTo', { field: label })}>
      <ul className="choices">
        {types.map((type) => (
          <li key={type.apiName}>
            <button className="choice" onClick={() => onType(type)} type="button">
              <Icon name="type" />
              {type.name}
            </button>
          </li>
        ))}
        <li>
          <button className="choice" onClick={() => setIsShared(true)} type="button">
            <Icon name="open" />
            {t('block.link')}
          </button>
        </li>
      </ul>
    </Dialog>
  );
}
