import { useId, useState, type ReactNode } from 'react';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import { inputOf, type Contract } from './contract.js';
import { inputFrom, startValues, type Values } from './form-input.js';
import { FormValuesContext } from './form-values.js';
import { propertiesOf, type Property } from './property.js';
import type { FormConfig } from './resource-config.js';
import { useOperation, type OperationResult, type Refusal } from './use-operation.js';
import { t } from '../texts/index.js';
import type { PropertyRowProps } from './control-props.js';
import { hintOf, labelOf } from './labels.js';
import { isGroup, PropertyControl } from './property-controls.js';

/** Only texts of this app: descriptions in contracts are for those who write programs. */
function Hint({ property: { key }, resource }: Pick<PropertyRowProps, 'property' | 'resource'>) {
  const hint = hintOf(resource, key) ?? '';
  return hint === '' ? null : <p className="hint">{hint}</p>;
}

/** Label, control, hint and messages of one key of an input. */
function PropertyRow(props: PropertyRowProps) {
  const { property, resource, value, messages, isReadOnly, idPrefix, editors, onChange } = props;
  const path = `${props.pathPrefix ?? ''}${property.key}`;
  const Editor = editors[path] ?? PropertyControl;
  const id = `${idPrefix}-${property.key}`;
  const text = labelOf(resource, property.key);
  const isGrouped = isGroup(property);
  const label = (
    <>
      {text} {property.isRequired && <span className="mark">{t('form.mandatory')}</span>}
    </>
  );
  return (
    <div
      aria-describedby={isGrouped ? `${id}-note` : undefined}
      aria-labelledby={isGrouped ? `${id}-label` : undefined}
      className="field"
      role={isGrouped ? 'group' : undefined}
    >
      {isGrouped ? (
        <span className="label" id={`${id}-label`}>
          {label}
        </span>
      ) : (
        <label className="label" htmlFor={id}>
          {label}
        </label>
      )}
      <Editor
        describedBy={`${id}-note`}
        editors={editors}
        id={id}
        isInvalid={messages.length > 0}
        isReadOnly={isReadOnly}
        label={text}
        onChange={onChange}
        path={path}
        property={property}
        resource={resource}
        row={PropertyRow}
        value={value}
      />
      <div id={`${id}-note`}>
        <Hint property={property} resource={resource} />
        {messages.map((message) => (
          <p className="problem" key={message}>
            {message}
          </p>
        ))}
      </div>
    </div>
  );
}

interface Props {
  /** Such as `redirects.create`. */
  readonly operation: string;
  readonly contract: Contract;
  /** Keys of the input that are not shown. */
  readonly fixed: Values;
  /** Of the item that is changed; absent for something new. */
  readonly current?: Values | undefined;
  readonly form?: FormConfig | undefined;
  readonly submitLabel: string;
  readonly isDangerous?: boolean;
  /** Beside the button. */
  readonly children?: ReactNode;
  readonly onDirty?: (isDirty: boolean) => void;
  /** What can be done about a refusal. */
  readonly afterRefusal?: (refusal: Refusal, retry: () => void) => ReactNode;
  readonly onDone: (answer: OperationResult, input: Values) => void;
}

/** In the order of the form. */
function shownProperties(contract: Contract, fixed: Values, form: FormConfig = {}): Property[] {
  const { order = [], hidden = [] } = form;
  const placeOf = ({ key }: Property): number => (order.includes(key) ? order.indexOf(key) : order.length);
  return propertiesOf(inputOf(contract).shape)
    .filter(({ key }) => !(key in fixed) && !hidden.includes(key))
    .sort((one, other) => placeOf(one) - placeOf(other));
}

/** Keys that follow the name, unless something else was typed. */
function namedAfter({ named = {} }: FormConfig = {}, values: Values, name: unknown): Values {
  const before = typeof values.name === 'string' ? values.name : '';
  const after = typeof name === 'string' ? name : '';
  return Object.fromEntries(
    Object.entries(named).flatMap(([key, make]) =>
      (values[key] ?? '') === make(before) ? [[key, make(after)]] : [],
    ),
  );
}

/** The input of an operation as a form, checked in the browser and again by the service. */
export function OperationForm(props: Props) {
  const { operation, contract, fixed, current, form, onDirty } = props;
  const properties = shownProperties(contract, fixed, form);
  const [start] = useState(() => current ?? startValues(properties, form?.start ?? {}));
  const [values, setValues] = useState<Values>(start);
  const { isBusy, problems, refusal, call } = useOperation(operation, contract);
  const idPrefix = useId();
  const change = (next: Values): void => {
    setValues(next);
    onDirty?.(!isEqualJson(next, start));
  };
  const changeOne = (key: string, value: unknown): void =>
    change({
      ...values,
      ...(key === 'name' && current === undefined && namedAfter(form, values, value)),
      [key]: value,
    });
  const submit = async (): Promise<void> => {
    const meant = form?.complete?.(values) ?? values;
    const input = { ...fixed, ...inputFrom(properties, meant, current) };
    const answer = await call(input);
    if (answer !== undefined) props.onDone(answer, input);
  };
  const isUnchanged = current !== undefined && isEqualJson(values, start);
  const shown = properties.filter(({ key }) => form?.isShown?.(key, values) ?? true);
  const elsewhere = Object.keys(problems).filter((key) => !shown.some((one) => one.key === key));
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // A form in a dialog is a child of the form below it.
        event.stopPropagation();
        void submit();
      }}
    >
      <FormValuesContext value={values}>
        {shown.map((property) => (
          <PropertyRow
            editors={form?.editors ?? {}}
            idPrefix={idPrefix}
            isReadOnly={false}
            key={property.key}
            messages={problems[property.key] ?? []}
            onChange={(value) => changeOne(property.key, value)}
            property={property}
            resource={operation.split('.')[0] ?? ''}
            value={values[property.key]}
          />
        ))}
      </FormValuesContext>
      <div aria-live="polite">
        {refusal !== undefined && <p className="problem">{refusal.message}</p>}
        {refusal !== undefined && props.afterRefusal?.(refusal, () => void submit())}
        {elsewhere.flatMap((key) =>
          (problems[key] ?? []).map((message) => (
            <p className="problem" key={key + message}>
              {message}
            </p>
          )),
        )}
      </div>
      <div className="actions">
        {props.children}
        <button
          className={props.isDangerous === true ? 'button danger' : 'button primary'}
          disabled={isBusy || isUnchanged}
          type="submit"
        >
          {props.submitLabel}
        </button>
      </div>
    </form>
  );
}
