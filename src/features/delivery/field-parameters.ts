import { invalidInput } from '../../../contracts/errors.js';
import type { ContentTypeDefinition, FieldDefinition } from '../../content/catalog.js';
import { kindOf } from '../../content/field-kinds/index.js';
import { isSystemKey } from './system-keys.js';

/** System keys that select nothing in a list, with what does. */
const elsewhere: Readonly<Record<string, string>> = {
  _type: 'The path names the content type.',
  _siteId: 'The path names the site.',
  _locale: 'Use locale=.',
};

function spellingFor(name: string, field: FieldDefinition | undefined): string | undefined {
  const systemKey = name.startsWith('_') ? name : `_${name}`;
  if (field !== undefined) {
    const isComparable = kindOf(field).comparison !== null;
    return `Use filter[${name}][${isComparable ? 'eq' : 'exists'}]=.`;
  }
  if (isSystemKey(systemKey)) return `Use filter[${systemKey}][eq]=.`;
  return Object.hasOwn(elsewhere, systemKey) ? elsewhere[systemKey] : undefined;
}

/**
 * Refuses parameters that name a field or a system key: ignoring them would return everything (decisions 3.10).
 * @throws AppError 422 with the right spelling
 */
export function assertNoFieldParameters(type: ContentTypeDefinition, parameters: readonly string[]): void {
  const issues = parameters.flatMap((parameter) => {
    const name = /^[^[\].]*/.exec(parameter)?.[0] ?? '';
    const field = type.fields.find(({ apiName }) => apiName === name);
    const spelling = spellingFor(name, field);
    if (spelling === undefined) return [];
    return [
      {
        path: [parameter],
        code: 'unknown_parameter',
        message: `${parameter} is not a parameter. ${spelling}`,
      },
    ];
  });
  if (issues.length > 0) throw invalidInput(...issues);
}
