import { Link } from '@tanstack/react-router';
import { useProject } from '../api/project-data.js';
import { t } from '../texts/index.js';

interface Props {
  readonly id: string;
  /** Null: the default one. */
  readonly locale: string | null;
  readonly title: string | null;
}

export function EntryLink({ id, locale, title }: Props) {
  const { slug, environment } = useProject();
  return (
    <Link
      className="row-link"
      params={{ project: slug, environment, entry: id }}
      search={{ locale: locale ?? undefined }}
      to="/$project/$environment/entries/$entry"
    >
      {title === null || title === '' ? t('entry.untitled') : title}
    </Link>
  );
}
