import type { ContentType, Entry } from '../api/project-data.js';
import { titleFieldOf } from '../fields/kinds.js';
import { t } from '../texts/index.js';

type Titled = Pick<Entry, 'fields' | 'slug'>;

/** What an entry is called: its title, else its slug. */
export function titleOf({ fields, slug }: Titled, type: ContentType | undefined): string {
  const value = type === undefined ? undefined : fields[titleFieldOf(type) ?? ''];
  if (typeof value === 'string' && value.trim() !== '') return value;
  return slug || t('entry.untitled');
}
