import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useProject, type ContentType } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import type { ListSearch } from './list-search.js';

interface Props {
  readonly type: ContentType | undefined;
  readonly search: ListSearch;
}

/** Of the type of the list, or of one that is chosen. */
export function NewEntryMenu({ type, search: { site, locale } }: Props) {
  const { slug, environment, types } = useProject();
  const [isOpen, setIsOpen] = useState(false);
  const link = (apiName: string) =>
    ({
      to: '/$project/$environment/new/$type',
      params: { project: slug, environment, type: apiName },
      search: { site, locale },
    }) as const;
  if (type !== undefined)
    return (
      <Link {...link(type.apiName)} className="button primary">
        <Icon name="add" />
        {t('list.new')}
      </Link>
    );
  return (
    <>
      <button className="button primary" onClick={() => setIsOpen(true)} type="button">
        <Icon name="add" />
        {t('list.new')}
      </button>
      {isOpen && (
        <Dialog onClose={() => setIsOpen(false)} title={t('list.new')}>
          <ul className="choices">
            {types
              .filter(({ isBlock }) => !isBlock)
              .map(({ apiName, name }) => (
                <li key={apiName}>
                  <Link {...link(apiName)} className="choice">
                    <Icon name="entry" />
                    {name}
                  </Link>
                </li>
              ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
