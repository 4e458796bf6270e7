import type { Field } from '../../api/project-data.js';
import { controlOf } from '../../fields/field-editor.js';
import type { PropertyControlProps } from '../../resources/control-props.js';
import { useFormValues } from '../../resources/form-values.js';
import { t } from '../../texts/index.js';

/** Kinds that the service takes as titles. */
const titling: ReadonlySet<string> = new Set([
  ...['text', 'longText', 'slug', 'select', 'email', 'url', 'date', 'dateTime', 'number', 'integer'],
]);
const canTitle = ({ type, isList }: Field): boolean => !isList && titling.has(type);

/** The fields of the type that can title an entry. */
export function TitleFieldChoice(props: PropertyControlProps) {
  const fields = (useFormValues().fields ?? []) as readonly Field[];
  return (
    <select
      {...controlOf(props)}
      className="select"
      disabled={props.isReadOnly}
      onChange={({ target }) => props.onChange(target.value || null)}
      value={typeof props.value === 'string' ? props.value : ''}
    >
      <option value="">{t('types.firstText')}</option>
      {fields
        .filter((field) => canTitle(field) || field.apiName === props.value)
        .map(({ apiName, name }) => (
          <option key={apiName} value={apiName}>
            {name}
          </option>
        ))}
    </select>
  );
}
