import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import type { Catalog, FieldDefinition } from '../../../../content/catalog.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import { isOwnBlock } from '../../../../content/model/own-block.js';
import { valueIn } from '../../../../content/model/field-definition.js';
import { replaceText } from '../../../../content/rich-text/replace-text.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { getEntry } from '../drafts/get-entry.js';
import type { RichTextConverter } from '../drafts/rich-text-input.js';
import { updateEntry } from './update-entry.js';

type Input = InputOf<typeof entries.editText>;

/** A field, or the block in it. */
interface Step {
  readonly name: string;
  readonly block: string | undefined;
}

/** `sections[<id>].title`; the block of a group needs no id. */
const stepsOf = (path: string): Step[] =>
  path.split('.').map((part) => {
    const [name = '', block] = part.split(/[[\]]/);
    return { name, block: block?.toLowerCase() };
  });

const hasText = (field: FieldDefinition): boolean => {
  const { isProse, takesMarkup } = kindOf(field);
  return isProse || takesMarkup;
};

/** The changed value. @throws AppError 422 for another kind of field, and unless the passage is found once or `all` is set */
function changedText(field: FieldDefinition, value: unknown, { find, replace, all }: Input): unknown {
  const { type, apiName } = field;
  const refuse = (key: keyof Input, code: string, message: string) =>
    invalidInput({ path: [key], code, message });
  if (!hasText(field))
    throw refuse('field', 'wrong_kind', `${apiName} is of kind ${type}. Set its value with an update.`);
  const replaced = replaceText(value, { find, replace });
  if (replaced.count === 0)
    throw refuse(
      'find',
      'text_not_found',
      `${apiName} does not contain this passage, which must match exactly.`,
    );
  if (replaced.count > 1 && !all)
    throw refuse(
      'find',
      'text_ambiguous',
      `${apiName} contains this passage ${String(replaced.count)} times. Send a longer one, or \`all\`.`,
    );
  return replaced.value;
}

interface TypedValues {
  readonly catalog: Catalog;
  readonly typeName: string;
  readonly values: FieldValues;
}

/** What an update writes to change the text at the path: the blocks beside it stay as they are. */
function changedFields(
  { catalog, typeName, values }: TypedValues,
  [step, ...rest]: readonly Step[],
  input: Input,
): FieldValues {
  const field = catalog.contentType(typeName)?.fields.find(({ apiName }) => apiName === step?.name);
  if (step === undefined || field === undefined)
    throw new AppError('field_not_found', { path: ['field'], field: step?.name });
  const value = valueIn(values, step.name);
  if (rest.length === 0) return { [step.name]: changedText(field, value, input) };
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isMeant = (item: unknown): boolean =>
    isOwnBlock(item) && (step.block === undefined ? !Array.isArray(value) : item._ref === step.block);
  const block = items.find(isMeant);
  if (!isOwnBlock(block)) throw new AppError('block_not_found', { path: ['field'], block: step.block });
  const fields = changedFields({ catalog, typeName: block._type, values: block.fields }, rest, input);
  const written = items.map((item) => {
    if (item === block) return { _ref: block._ref, fields };
    return isOwnBlock(item) ? { _ref: item._ref } : item;
  });
  return { [step.name]: Array.isArray(value) ? written : written[0] };
}

/**
 * Replaces a passage in the draft of one locale, as an update that sends the whole value.
 * @throws AppError 404 `field_not_found`, `block_not_found`, 422 unless the passage is found, and what an update throws
 */
export async function editText(
  work: UnitOfWork,
  input: Input,
  converter: RichTextConverter,
): Promise<{ data: Entry }> {
  const { projectSlug, id, version, locale, comment } = input;
  const catalog = await work.use(CatalogRepository).current();
  const { data: entry } = await getEntry(work, { projectSlug, id, locale, include: 0, deleted: false });
  const { contentTypeApiName: typeName, fields: values } = entry;
  // An outdated version is reported before what was not found in the current one.
  const fields =
    entry.version === version
      ? changedFields({ catalog, typeName, values }, stepsOf(input.field), input)
      : values;
  // Nothing is converted, so there are no warnings.
  const { data } = await updateEntry(work, { projectSlug, id, version, locale, comment, fields }, converter);
  return { data };
}
