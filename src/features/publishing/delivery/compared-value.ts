import { isDate, isInstant } from '../../../../contracts/time-values.js';
import type { Comparison } from '../../../content/field-kinds/index.js';
import { isUuid } from '../../../infrastructure/ids.js';

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/;

const where =
  (isReadable: (text: string) => boolean) =>
  (text: string): string | undefined =>
    isReadable(text) ? text : undefined;

function dateOf(text: string): string | undefined {
  if (isDate(text)) return text;
  return isInstant(text) ? new Date(text).toISOString().slice(0, 10) : undefined;
}

/** The value of a condition as it is compared; undefined for a text that is no value of the kind. */
export const comparedValue: Readonly<Record<Comparison | 'id', (text: string) => string | undefined>> = {
  id: where(isUuid),
  string: (text) => text.normalize('NFC'),
  link: (text) => text,
  number: where((text) => NUMBER.test(text) && Number.isFinite(Number(text))),
  boolean: where((text) => text === 'true' || text === 'false'),
  date: dateOf,
  time: where(isInstant),
};

/** Completes "Must be a …". */
export const comparedWhat: Readonly<Record<Comparison | 'id', string>> = {
  id: 'valid id',
  string: 'string',
  link: 'link',
  number: 'number',
  boolean: 'boolean',
  date: 'date such as 2026-03-01, or a time with an offset or Z',
  time: 'time with an offset or Z, such as 2026-03-01T09:30:00Z',
};
