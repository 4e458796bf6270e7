import type { Requirement } from './requirement.js';

/** The decisions about trees, paths and redirects. */
export const content = {
  'dec-2.15-hits': { source: '2.15', text: 'Hits of redirects are counted, without a cost to reads.' },
} as const satisfies Readonly<Record<string, Requirement>>;
