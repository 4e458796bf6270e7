import { Link } from '@tanstack/react-router';
import { useProject } from '../api/project-data.js';
import { t } from '../texts/index.js';

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

interface Props {
  readonly id: string;
  /** Null: the default one. */
  readonly locale: string | null;
  readonly title: string | null;
}

/** Entries without a title are named after their slug, which may be an id: that says nothing to people. */
export const entryName = (title: string | null): string =>
  title === null || title.trim() === '' || isId(title) ? t('entry.untitled') : title;

export function EntryLink({ id, locale, title }: Props) {
  const { slug, environment } = useProject();
  return (
    <Link
      className="row-link"
      params={{ project: slug, environment, entry: id }}
      search={{ locale: locale ?? undefined }}
      to="/$project/$environment/entries/$entry"
    >
      {entryName(title)}
    </Link>
  );
}
