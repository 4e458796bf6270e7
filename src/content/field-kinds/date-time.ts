import { InstantInput } from '../../../contracts/primitives.js';
import { timeKind } from './time-kind.js';

/** An instant with its offset. */
export const dateTime = timeKind(
  InstantInput,
  'a time with an offset or Z, such as 2026-03-01T09:30:00Z',
  'time',
);
