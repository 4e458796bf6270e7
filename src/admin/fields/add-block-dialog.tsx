import { useId, useState } from 'react';
import type { ContentType, Entry } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { Icon, type IconName } from '../ui/icon.js';
import { EntryPicker } from './entry-picker.js';
import { holdsBlocks } from './kinds.js';

interface Props {
  /** Of the list that the block is added to. */
  readonly label: string;
  readonly types: readonly ContentType[];
  readonly onType: (type: ContentType) => void;
  readonly onLink: (entry: Entry) => void;
  readonly onClose: () => void;
}

/** Fewer types are seen at a glance. */
const SEARCHED = 8;

/** What a type consists of, as a picture. */
function iconOf({ fields }: ContentType): IconName {
  if (fields.some(holdsBlocks)) return 'list';
  if (fields.some(({ type }) => type === 'media')) return 'picture';
  return fields.some(({ type }) => type === 'richText' || type === 'longText') ? 'entry' : 'type';
}

/** Chooses what is added to a list of blocks: a new block of a type, or a shared one. */
export function AddBlockDialog({ label, types, onType, onLink, onClose }: Props) {
  const id = useId();
  const [isShared, setIsShared] = useState(false);
  const [typed, setTyped] = useState('');
  if (isShared)
    return <EntryPicker onChoice={onLink} onClose={onClose} types={types.map(({ apiName }) => apiName)} />;
  const words = typed.trim().toLowerCase();
  const found = types.filter(({ name, description }) =>
    `${name} ${description ?? ''}`.toLowerCase().includes(words),
  );
  return (
    <Dialog isWide={types.length > 3} onClose={onClose} title={t('field.addTo', { field: label })}>
      {types.length > SEARCHED && (
        <input
          aria-label={t('pick.search')}
          className="input"
          data-focus
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault();
          }}
          placeholder={t('pick.search')}
          type="search"
          value={typed}
        />
      )}
      <ul className={types.length > 3 ? 'choices two' : 'choices'}>
        {found.map((type) => (
          <li className="choice block-type" key={type.apiName}>
            <Icon name={iconOf(type)} />
            <div className="grow">
              <button aria-describedby={`${id}-${type.apiName}`} onClick={() => onType(type)} type="button">
                {type.name}
              </button>
              <p className="hint" id={`${id}-${type.apiName}`}>
                {type.description ?? type.fields.map(({ name }) => name).join(', ')}
              </p>
            </div>
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
