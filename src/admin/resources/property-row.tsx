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
export function PropertyRow(props: PropertyRowProps) {
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
