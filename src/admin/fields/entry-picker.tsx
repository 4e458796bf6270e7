import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.js';
import { typeOf, useProject, type Entry } from '../api/project-data.js';
import { usePlace } from '../editor/place.js';
import { titleOf } from '../entries/entry-title.js';
import { StatusBadge } from '../entries/status-badge.js';
import { t } from '../texts/index.js';
import { Picker } from '../ui/picker.js';
import { useDelayed } from '../ui/use-delayed.js';

interface Props {
  /** Absent: every type but blocks. */
  readonly types: readonly string[] | undefined;
  readonly onChoice: (entry: Entry) => void;
  readonly onClose: () => void;
}

const SHOWN = 20;

/** Finds an entry by its title. */
export function EntryPicker({ types, onChoice, onClose }: Props) {
  const project = useProject();
  const { locale } = usePlace();
  const [typed, setTyped] = useState('');
  const q = useDelayed(typed.trim());
  const allowed = types ?? project.types.filter(({ isBlock }) => !isBlock).map(({ apiName }) => apiName);
  const query = useQuery(
    api.entries.list.queryOptions(
      {
        ...{ projectSlug: project.slug, locale, limit: SHOWN, contentTypeApiName: [...allowed] },
        ...(q !== '' && { q }),
      },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Picker {...{ onChoice, onClose, query, typed }} onType={setTyped} title={t('pick.entry')}>
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
