import { typeOf, useProject, type ContentType } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { SLUG } from './draft.js';

/** What a field is called; the slug is `_slug`. */
export const fieldLabel = ({ fields }: Pick<ContentType, 'fields'>, name: string): string =>
  name === SLUG ? t('entry.slug') : (fields.find(({ apiName }) => apiName === name)?.name ?? name);

/** The name of the type of an entry with that of a field, which it or one of its blocks has. */
export function useFieldNames(): (apiName: string, field: string, isInBlock?: boolean) => string {
  const project = useProject();
  return (apiName, field, isInBlock = false) => {
    const type = typeOf(project, apiName);
    if (type === undefined) return field;
    const blocks = project.types.filter(({ isBlock }) => isBlock);
    const owners = isInBlock ? blocks : [type, ...blocks];
    const owner = owners.find(({ fields }) => fields.some((one) => one.apiName === field));
    return `${type.name}: ${fieldLabel(owner ?? type, field)}`;
  };
}
