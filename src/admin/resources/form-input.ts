import { isObject } from '../../content/exact-json/is-object.js';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import type { Property } from './property.js';

export type Values = Readonly<Record<string, unknown>>;

/** Nothing was typed or chosen, also not in a group of controls. */
export const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (isObject(value) && Object.values(value).every(isBlank));

/** Groups of controls without what was left blank in them. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (isBlank(one) ? [] : [[key, filled(one)]])),
  );
}

function blankOf({ isNullable, definition }: Property): unknown {
  if (isNullable) return null;
  if (definition.type === 'string') return '';
  if (definition.type === 'array') return [];
  return definition.type === 'object' || definition.type === 'record' ? {} : null;
}

/**
 * The input that a form means: of something new, what was filled in; of a change, what differs from the current values.
 */
export function inputFrom(
  properties: readonly Property[],
  values: Values,
  current: Values | undefined,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const property of properties) {
    const value = values[property.key];
    const isOmitted =
      current === undefined
        ? isBlank(value) && !property.isRequired && !(value === null && property.isNullable)
        : isEqualJson(value ?? null, current[property.key] ?? null);
    if (isOmitted && !(property.isRequired && current !== undefined)) continue;
    input[property.key] = isBlank(value) ? blankOf(property) : filled(value);
  }
  return input;
}

/** What a form starts with: defaults of the service, then those of the screen. */
export const startValues = (properties: readonly Property[], own: Values): Values => ({
  ...Object.fromEntries(
    properties.flatMap(({ key, defaultValue }) => (defaultValue === undefined ? [] : [[key, defaultValue]])),
  ),
  ...own,
});
