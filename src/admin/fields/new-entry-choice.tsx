import { useState } from 'react';
import type { ContentType } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';

interface Props {
  readonly types: readonly ContentType[];
  readonly onChoice: (type: ContentType) => void;
}

/** More types are a list. */
const BUTTONS = 3;

function ListedTypes({ types, onChoice }: Props) {
  const [chosen = types[0], setChosen] = useState<ContentType>();
  return (
    <div className="row">
      <select
        aria-label={t('create.type')}
        className="select compact"
        onChange={({ target }) => setChosen(types.find(({ apiName }) => apiName === target.value))}
        value={chosen?.apiName}
      >
        {types.map(({ apiName, name }) => (
          <option key={apiName} value={apiName}>
            {name}
          </option>
        ))}
      </select>
      <button
        className="button"
        onClick={() => {
          if (chosen !== undefined) onChoice(chosen);
        }}
        type="button"
      >
        <Icon name="add" />
        {t('create.start')}
      </button>
    </div>
  );
}

/** Starts a new entry of one of the types. */
export function NewEntryChoice({ types, onChoice }: Props) {
  if (types.length > BUTTONS) return <ListedTypes onChoice={onChoice} types={types} />;
  return (
    <div className="row">
      {types.map((type) => (
        <button className="button" key={type.apiName} onClick={() => onChoice(type)} type="button">
          <Icon name="add" />
          {t('create.new', { type: type.name })}
        </button>
      ))}
    </div>
  );
}
