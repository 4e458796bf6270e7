import { t } from '../texts/index.js';
import { controlOf, type Control, type ControlProps, type FieldEditor } from './field-editor.js';
import { optionsOf } from './kinds.js';

export const BooleanEditor: Control = (props) => (
  <input
    {...controlOf(props)}
    checked={props.value === true}
    className="check"
    disabled={props.isReadOnly}
    onChange={({ target }) => props.onChange(target.checked)}
    type="checkbox"
  />
);

interface OptionSelectProps extends ControlProps {
  readonly options: readonly { readonly value: string; readonly label?: string | undefined }[];
  /** What no value means. */
  readonly none?: string;
}

/** One of the options, or none. */
export const OptionSelect = ({ options, none = t('field.none'), ...props }: OptionSelectProps) => (
  <select
    {...controlOf(props)}
    className="select"
    disabled={props.isReadOnly}
    onChange={({ target }) => props.onChange(target.value || null)}
    value={typeof props.value === 'string' ? props.value : ''}
  >
    <option value="">{none}</option>
    {options.map(({ value, label }) => (
      <option key={value} value={value}>
        {label ?? value}
      </option>
    ))}
  </select>
);

export const SelectEditor: FieldEditor = (props) => (
  <OptionSelect {...props} options={optionsOf(props.field)} />
);

/** Several options, in their order. */
export const SelectListEditor: FieldEditor = ({ field, value, isReadOnly, onChange }) => {
  const chosen = Array.isArray(value) ? (value as string[]) : [];
  const options = optionsOf(field);
  return (
    <div className="row">
      {options.map(({ value: one, label }) => (
        <label className="row tight" key={one}>
          <input
            checked={chosen.includes(one)}
            disabled={isReadOnly}
            onChange={({ target }) =>
              onChange(
                options
                  .map((option) => option.value)
                  .filter((known) => (known === one ? target.checked : chosen.includes(known))),
              )
            }
            type="checkbox"
          />
          {label ?? one}
        </label>
      ))}
    </div>
  );
};
