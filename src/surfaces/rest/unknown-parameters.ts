import { closest, distance } from 'fastest-levenshtein';
import { invalidInput, type AppError } from '../../../contracts/errors.js';
import type { BoundOperation } from '../../procedures/index.js';

/** Refused in lists of management and platform, where a misspelt filter would return everything (decisions 3.10). */
export function refusesUnknownParameters({ meta, input }: BoundOperation): boolean {
  return meta.audience !== 'delivery' && meta.openapi?.method === 'GET' && 'limit' in input.shape;
}

/** Names further apart than this have nothing in common. */
const isNear = (name: string, known: string): boolean =>
  distance(name, known) <= Math.max(2, Math.floor(known.length / 2));

function messageFor(name: string, known: readonly string[]): string {
  const nearest = closest(name.slice(0, 100), known);
  return isNear(name.slice(0, 100), nearest)
    ? `Unknown parameter. Did you mean ${nearest}?`
    : `Unknown parameter. Known parameters: ${known.join(', ')}.`;
}

/** @param known names of the parameters, at least one */
export const unknownParameters = (names: readonly string[], known: readonly string[]): AppError =>
  invalidInput(
    ...names
      .slice(0, 10)
      .map((name) => ({ path: [name], code: 'unknown_parameter', message: messageFor(name, known) })),
  );
