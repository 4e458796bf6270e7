import { defineKind } from './define-kind.js';
import { problem, type Problem } from '../model/problem.js';

/** Largest absolute value of each coordinate, in degrees. */
const bounds = [
  ['lat', 90],
  ['lng', 180],
] as const;

function checkLocation(value: unknown): Problem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return problem('invalid_type', 'The value must be a location: { lat, lng }.');
  const coordinates = value as Record<string, unknown>;
  const unknown = Object.keys(value)
    .filter((key) => key !== 'lat' && key !== 'lng')
    .map((key): Problem => ({
      path: [key],
      code: 'unknown_key',
      message: 'A location has only the keys lat and lng.',
    }));
  return [...unknown, ...bounds.flatMap(([key, limit]) => checkCoordinate(coordinates[key], key, limit))];
}

function checkCoordinate(value: unknown, key: string, limit: number): Problem[] {
  if (typeof value !== 'number' || !Number.isFinite(value))
    return [{ path: [key], code: 'invalid_type', message: `${key} must be a number of degrees.` }];
  const message = `${key} must be between -${limit} and ${limit}.`;
  return Math.abs(value) <= limit ? [] : [{ path: [key], code: 'out_of_range', message }];
}

/** A place on Earth in degrees (WGS 84). */
export const location = defineKind({
  checkShape: checkLocation,
  graphqlType: 'Location',
  valueClass: 'structure',
});
