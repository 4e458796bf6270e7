import type { CustomFieldTypeWarning } from '../../../contracts/resources/custom-field-type.js';
import type { Problem } from '../../content/model/problem.js';
import { checkAgainstSchema, renewWork, type JsonSchema } from '../../content/json-schema/index.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import {
  CustomFieldTypeRepository,
  type StoredCustomFieldType,
  type UsingField,
} from './custom-field-type.repository.js';
import { StoredValueRepository, type StoredValue } from './stored-values.repository.js';

/** Limits of one change: fields, entries and bytes of values to check, and warnings to report. */
const bounds = { fields: 100, entries: 1000, bytes: 16_777_216, warnings: 100 } as const;
/** Entries read at once into memory. */
const pageEntries = 25;

/** The first mismatch of a field's value or of each list item. */
function mismatchOf(value: unknown, isList: boolean, schema: JsonSchema): Problem | undefined {
  if (!isList) return checkAgainstSchema(value, schema)[0];
  for (const [index, item] of (Array.isArray(value) ? (value as unknown[]) : []).entries()) {
    const [problem] = checkAgainstSchema(item, schema);
    if (problem !== undefined) return { ...problem, path: [index, ...problem.path] };
  }
  return undefined;
}

/** Checks stored values until a limit is reached. */
class Revalidation {
  readonly warnings: CustomFieldTypeWarning[] = [];
  isComplete = true;
  #entriesLeft: number = bounds.entries;
  #bytesLeft: number = bounds.bytes;
  #isStopped = false;

  constructor(
    private readonly values: StoredValueRepository,
    private readonly schema: JsonSchema,
  ) {}

  async field(field: UsingField): Promise<void> {
    this.#default(field);
    const ids = await this.values.entryIds(field.contentTypeId, this.#entriesLeft + 1);
    if (ids.length > this.#entriesLeft) this.isComplete = false;
    const seen = ids.slice(0, this.#entriesLeft);
    this.#entriesLeft -= seen.length;
    for (let start = 0; start < seen.length && !this.#isStopped; start += pageEntries) {
      const held = await this.values.values(field, seen.slice(start, start + pageEntries));
      for (const value of held) this.#value(field, value);
      if (this.#bytesLeft < 0 || this.warnings.length >= bounds.warnings) this.#stop();
    }
  }

  #stop(): void {
    this.#isStopped = true;
    this.isComplete = false;
  }

  #default({ defaultValue, isList, contentTypeApiName, fieldApiName }: UsingField): void {
    if (defaultValue === null || defaultValue === undefined) return;
    const problem = mismatchOf(defaultValue, isList, this.schema);
    if (problem === undefined) return;
    const { message, path } = problem;
    this.warnings.push({ code: 'default_invalid', message, contentTypeApiName, fieldApiName, path });
  }

  #value({ contentTypeApiName, fieldApiName, isList }: UsingField, held: StoredValue): void {
    this.#bytesLeft -= held.bytes;
    const problem = mismatchOf(held.value, isList, this.schema);
    if (problem === undefined) return;
    if (problem.code === 'schema_too_complex') this.#stop();
    else if (this.warnings.length < bounds.warnings) {
      const { message, path } = problem;
      const { entryId, locale } = held;
      const place = { entryId, contentTypeApiName, fieldApiName, locale, path };
      this.warnings.push({ code: 'value_invalid', message, ...place });
    }
  }
}

/**
 * Checks the draft values of a custom type against its new schema, the last changed entries first. Mismatches are
 * reported and kept; they cannot be published.
 */
export async function revalidateValues(
  work: UnitOfWork,
  { apiName, jsonSchema }: StoredCustomFieldType,
): Promise<CustomFieldTypeWarning[]> {
  const fields = await work.use(CustomFieldTypeRepository).usingFields(apiName, bounds.fields + 1);
  const revalidation = new Revalidation(work.use(StoredValueRepository), jsonSchema);
  renewWork();
  for (const field of fields.slice(0, bounds.fields)) await revalidation.field(field);
  const { warnings, isComplete } = revalidation;
  if (isComplete && fields.length <= bounds.fields) return warnings;
  const message = `There is more than one change looks at: ${String(bounds.entries)} entries, the last changed first. Others are checked when they are written or published.`;
  return [...warnings, { code: 'revalidation_incomplete', message }];
}
