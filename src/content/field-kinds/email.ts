import { z } from 'zod';
import { addressKind } from './string-kind.js';

/** The longest address that mail can be sent to (RFC 5321, section 4.5.3.1.3). */
const lengthMaximum = 254;

const format = z.email();

/** An email address. */
export const email = addressKind({
  lengthMaximum,
  isValid: (value) => format.safeParse(value).success,
  what: 'an email address',
  valueClass: 'line',
});
