import type { ContentType } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { SLUG } from './draft.js';

/** What a field is called; the slug is `_slug`. */
export const fieldLabel = ({ fields }: Pick<ContentType, 'fields'>, name: string): string =>
  name === SLUG ? t('entry.slug') : (fields.find(({ apiName }) => apiName === name)?.name ?? name);
