import type { ContentType, Field } from '../api/project-data.js';
import type { OwnBlock } from '../../content/model/own-block.js';
import { pathInBlock, rootOf } from '../editor/paths.js';
import type { FieldEditorProps } from './field-editor.js';
import { useFormScope } from './form-scope.js';
import { v7 as uuid } from 'uuid';
import { conditionsOf } from '../../../contracts/content/fields/field-conditions.js';

/** The fields that a form shows beside these values, each marked as required if it is so now. */
export function shownFields(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
): readonly Field[] {
  return fields.flatMap((field) => {
    if (field.hidden) return [];
    const { isVisible, isRequired } = conditionsOf(field, (name) => values[name]);
    if (!isVisible) return [];
    return isRequired === field.required ? [field] : [{ ...field, required: isRequired }];
  });
}

/** A block with its default values. It has its id from the start, so that saving it again changes it. */
export function newBlock({ apiName, fields }: ContentType): OwnBlock {
  const defaults = fields.flatMap((field) =>
    field.defaultValue === null ? [] : [[field.apiName, field.defaultValue] as const],
  );
  return { _ref: uuid(), _type: apiName, fields: Object.fromEntries(defaults) };
}

interface Props extends FieldEditorProps {
  readonly block: OwnBlock;
  readonly type: ContentType;
}

/** A cleared value is left out, as in what is stored. */
function withValue({ fields, ...block }: OwnBlock, name: string, value: unknown): OwnBlock {
  const { [name]: _, ...others } = fields;
  return { ...block, fields: value === null || value === undefined ? others : { ...fields, [name]: value } };
}

/** The form of a block. In a localized list, every value is one of its locale. */
export function BlockFields({ block, type, row: Row, field: list, path, id, onChange }: Props) {
  const { problems, mayWrite } = useFormScope();
  return (
    <div className="stack">
      {shownFields(type.fields, block.fields).map((inner) => {
        const field = { ...inner, localized: inner.localized || list.localized };
        const innerPath = pathInBlock(path, block._ref, inner.apiName);
        return (
          <Row
            field={field}
            idPrefix={id}
            isReadOnly={!mayWrite({ apiName: rootOf(path), localized: field.localized })}
            key={inner.apiName}
            messages={problems.get(innerPath) ?? []}
            onChange={(value) => onChange(withValue(block, inner.apiName, value))}
            path={innerPath}
            value={block.fields[inner.apiName]}
          />
        );
      })}
    </div>
  );
}
