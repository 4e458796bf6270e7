import { DateInput } from '../../../contracts/primitives.js';
import { timeKind } from './time-kind.js';

/** A calendar date that exists. ISO dates sort as strings. */
export const date = timeKind(DateInput, 'a date such as 2026-03-01', 'date');
