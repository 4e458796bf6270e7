import type { ReactNode } from 'react';
import { formatNumber, formatTime, localeName, t } from '../texts/index.js';
import type { Contract } from './contract.js';
import { resultShape } from './contract.js';
import { optionLabel } from './labels.js';
import { optionsOf, unwrapped } from './property.js';

const NONE = '–';

/** Named things, such as the user who created an item. */
function nameIn(value: object): string | undefined {
  const { name } = value as { readonly name?: unknown };
  return typeof name === 'string' ? name : undefined;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return NONE;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return t(value ? 'resource.yes' : 'resource.no');
  if (Array.isArray(value)) return value.length === 0 ? NONE : value.map(textOf).join(', ');
  if (typeof value === 'object') return nameIn(value) ?? JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Keys whose values are codes of locales. */
const localeKeys: ReadonlySet<string> = new Set(['locale', 'defaultLocale', 'locales']);

/** A value of an item as the shape of the result says that it is meant. */
export function cellOf(contract: Contract, key: string, value: unknown): ReactNode {
  const schema = resultShape(contract)[key];
  const definition = schema && unwrapped(schema);
  if (value === null || value === undefined || definition === undefined) return textOf(value);
  if (definition.format === 'datetime')
    return <span className="unbroken">{formatTime(value as string)}</span>;
  if (localeKeys.has(key)) return [value as string[]].flat().map(localeName).join(', ');
  if (typeof value === 'string' && optionsOf(definition) !== undefined)
    return <span className={`badge ${value}`}>{optionLabel(key, value)}</span>;
  if (Array.isArray(value) && value.length > 0) {
    const options = definition.element && optionsOf(unwrapped(definition.element));
    if (options !== undefined) return value.map((one) => optionLabel(key, one as string)).join(', ');
  }
  return textOf(value);
}
