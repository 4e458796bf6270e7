import type { ContentType, Field } from '../api/project-data.js';
import { isDay, isInstant, isShort, optionsOf, titleFieldOf } from '../fields/kinds.js';
import { formatDay, formatNumber, formatTime } from '../texts/index.js';

const key = (type: string): string => `headwater.columns.${type}`;
const SHOWN_AT_FIRST = 2;

/** Fields of the type that can be columns, without the one that is the title. */
export function columnFields(type: ContentType): Field[] {
  const title = titleFieldOf(type);
  return type.fields.filter((field) => field.apiName !== title && isShort(field) && !field.hidden);
}

/** The columns that were chosen in this browser, else the first ones. */
export function chosenColumns(type: ContentType): string[] {
  const possible = columnFields(type).map(({ apiName }) => apiName);
  const stored = localStorage.getItem(key(type.apiName));
  if (stored === null) return possible.slice(0, SHOWN_AT_FIRST);
  return (JSON.parse(stored) as string[]).filter((name) => possible.includes(name));
}

export function keepColumns(type: ContentType, names: readonly string[]): void {
  localStorage.setItem(key(type.apiName), JSON.stringify(names));
}

/** The value of a cell as text. */
export function cellText(field: Field, value: unknown): string {
  if (typeof value === 'boolean') return value ? '✓' : '–';
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value !== 'string') return '';
  if (isDay(field)) return formatDay(value);
  if (isInstant(field)) return formatTime(value);
  return optionsOf(field).find((option) => option.value === value)?.label ?? value;
}
