import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { typeOf, useProject, type ContentType, type Entry } from '../api/project-data.js';
import { usePlace } from '../editor/place.js';
import { titleOf } from '../entries/entry-title.js';
import { StatusBadge } from '../entries/status-badge.js';
import { t } from '../texts/index.js';
import { Picker } from '../ui/picker.js';
import { useDelayed } from '../ui/hooks.js';
import { CREATION_DEPTH, useCreation } from './creation.js';
import { Icon } from '../ui/icon.js';

interface NewEntryChoiceProps {
  readonly types: readonly ContentType[];
  readonly onChoice: (type: ContentType) => void;
}

/** More types are a list. */
const BUTTONS = 3;

function ListedTypes({ types, onChoice }: NewEntryChoiceProps) {
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
function NewEntryChoice({ types, onChoice }: NewEntryChoiceProps) {
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

interface Props {
  /** Absent: every type but blocks. */
  readonly types: readonly string[] | undefined;
  readonly onChoice: (entry: Entry) => void;
  readonly onClose: () => void;
}

const SHOWN = 20;

/** Types of which the user may create an entry here. */
function useCreatable(types: readonly string[] | undefined): readonly ContentType[] {
  const project = useProject();
  const { Form, depth } = useCreation();
  if (Form === undefined || depth >= CREATION_DEPTH || !project.may('entries.create')) return [];
  return project.types.filter(({ apiName, isBlock }) => types?.includes(apiName) ?? !isBlock);
}

/** Finds an entry by its title, or creates one where the form around it allows that. */
export function EntryPicker(props: Props) {
  const { Form } = useCreation();
  const [created, setCreated] = useState<ContentType>();
  if (created !== undefined && Form !== undefined)
    return <Form onCancel={() => setCreated(undefined)} onCreated={props.onChoice} type={created} />;
  return <ExistingEntries {...props} onNew={setCreated} />;
}

interface ExistingProps extends Props {
  readonly onNew: (type: ContentType) => void;
}

function ExistingEntries({ types, onChoice, onClose, onNew }: ExistingProps) {
  const project = useProject();
  const creatable = useCreatable(types);
  const { locale } = usePlace();
  const [typed, setTyped] = useState('');
  const q = useDelayed(typed.trim());
  const allowed = types ?? project.types.filter(({ isBlock }) => !isBlock).map(({ apiName }) => apiName);
  const query = useQuery(
    api.entries.list.queryOptions(
      {
        projectSlug: project.slug,
        locale,
        limit: SHOWN,
        contentTypeApiName: [...allowed],
        ...(q !== '' && { q }),
      },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Picker
      onChoice={onChoice}
      onClose={onClose}
      query={query}
      typed={typed}
      actions={creatable.length > 0 && <NewEntryChoice onChoice={onNew} types={creatable} />}
      onType={setTyped}
      title={t('pick.entry')}
    >
      {(entry) => {
        const type = typeOf(project, entry.contentTypeApiName);
        return (
          <>
            <span className="grow clip">{titleOf(entry, type)}</span>
            <span className="soft small">{type?.name}</span>
            <StatusBadge status={entry.status} />
          </>
        );
      }}
    </Picker>
  );
}
