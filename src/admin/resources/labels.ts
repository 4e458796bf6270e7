import { maybeText } from '../texts/index.js';

/** `overlapSeconds` becomes "Overlap seconds". */
export function words(name: string): string {
  const text = name.replace(/(?<=[a-z\d])(?=[A-Z])|_/g, ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The label of a key: of the resource, of all resources, or made from its name. */
export const labelOf = (resource: string, key: string): string =>
  maybeText(`${resource}.key.${key}`) ?? maybeText(`key.${key}`) ?? words(key);

/** The label of an option, else the option. */
export const optionLabel = (key: string, option: string | number): string =>
  maybeText(`option.${key}.${option}`) ?? maybeText(`option.${option}`) ?? String(option);

/** Of this app, in the language of the user; empty if the label says it. */
export const hintOf = (resource: string, key: string): string | undefined =>
  maybeText(`${resource}.hint.${key}`) ?? maybeText(`hint.${key}`);
