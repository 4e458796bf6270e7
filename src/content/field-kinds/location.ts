import { defineKind } from './define-kind.js';
import { problem, type Problem } from '../model/problem.js';

/** Degrees that a coordinate may be away from 0. */
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
      message: 'A location has lat and lng only.',
    }));
  return [...unknown, ...bounds.flatMap(([key, limit]) => checkCoordinate(coordinates[key], key, limit))];
}

function checkCoordinate(value: unknown, key: string, limit: number): Problem[] {
  if (typeof value !== 'number' || !Number.isFinite(value))
    return [{ path: [key], code: 'invalid_type', message: `${key} must be a number of degrees.` }];
  const message = `${key} must be between -${limit} and ${limit}.`;
  return Math.abs(value) <= limit ? [] : [{ path: [key], code: 'out_of_range', message }];
}

/** A place on Earth in degrees (WGS 84): latitude -90 to 90, longitude -180 to 180. */
export const location = defineKind({ checkShape: checkLocation, canBecome: ['json'] });
