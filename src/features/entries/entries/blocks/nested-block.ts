import { type InputIssue, AppError } from '../../../../../contracts/errors.js';
import type { ContentTypeDefinition } from '../../../../content/catalog.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import { withDefaults } from '../drafts/new-entry.js';

export type Path = InputIssue['path'];

/** A block to write with the entry that contains it (rule entries/nested-blocks). */
export interface NestedBlock {
  /** Of the item in the request. */
  readonly path: Path;
  readonly id: string;
  readonly isNew: boolean;
  /** Expected current version of an existing block. */
  readonly version: number | undefined;
  readonly type: ContentTypeDefinition;
  /** Nested blocks are links here. */
  readonly fields: FieldValues;
}

/** An item with `fields` is written; without, it is a link. */
export interface NestedItem {
  readonly _ref?: unknown;
  readonly _type?: unknown;
  readonly version?: unknown;
  readonly fields: unknown;
}

export const isNestedItem = (value: unknown): value is NestedItem =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'fields');

export const isValues = (value: unknown): value is FieldValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listsOf = (fields: FieldValues): unknown[] =>
  Object.values(fields).filter((value) => Array.isArray(value));

/** Whether some value may have nested blocks; its type decides. */
export const mayHaveBlocks = (fields: FieldValues): boolean =>
  listsOf(fields).some((items) => (items as unknown[]).some(isNestedItem));

/** `_ref` of everything that may be a nested block, on any level; types decide. */
export function namedBlockIds(fields: FieldValues): string[] {
  const found = new Set<string>();
  const left: FieldValues[] = [fields];
  for (let values = left.pop(); values !== undefined; values = left.pop()) {
    for (const item of listsOf(values).flat().filter(isNestedItem)) {
      if (typeof item._ref === 'string') found.add(item._ref);
      if (isValues(item.fields)) left.push(item.fields);
    }
  }
  return [...found];
}

export const blockFieldsOf = ({ fields }: Pick<ContentTypeDefinition, 'fields'>) =>
  fields.filter((field) => kindOf(field).takesBlocks);

/** The error of a nested block, with the block's path unless it has one. */
export function atPath(path: Path, { code, details, message }: AppError): AppError {
  return new AppError(code, { path, ...(details as object | undefined) }, message);
}

/** Runs a check of a nested block. */
export function checkAt<T>(path: Path, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof AppError ? atPath(path, error) : error;
  }
}

/** The values that a request gives a block, with the defaults of a new one. */
export const givenValues = ({ isNew, type, fields }: NestedBlock): FieldValues =>
  isNew ? withDefaults(type, fields) : fields;
