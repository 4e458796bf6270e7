import type { Field } from '../../api/project-data.js';
import { OptionSelect } from '../../fields/choice-editors.js';
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
  const options = fields
    .filter((field) => canTitle(field) || field.apiName === props.value)
    .map(({ apiName, name }) => ({ value: apiName, label: name }));
  return <OptionSelect {...props} none={t('types.firstText')} options={options} />;
}
