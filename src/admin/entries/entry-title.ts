import type { ContentType, Entry } from '../api/project-data.js';
import { titleFieldOf } from '../fields/kinds.js';
import { t } from '../texts/index.js';

type Titled = Pick<Entry, 'fields' | 'slug'>;

/** The slug of an entry without a title is its id until another is given. */
const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

/** What an entry is called: its title, else its slug. */
export function titleOf({ fields, slug }: Titled, type: ContentType | undefined): string {
  const value = type === undefined ? undefined : fields[titleFieldOf(type) ?? ''];
  if (typeof value === 'string' && value.trim() !== '') return value;
  return slug === '' || isUuid(slug) ? t('entry.untitled') : slug;
}
