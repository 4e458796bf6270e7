import { z } from 'zod';
import { timeKind } from './time-kind.js';

/** A calendar date that exists. ISO dates sort as strings. */
export const date = timeKind(z.iso.date(), 'a date such as 2026-03-01', 'string');
