import type { Requirement } from './requirement.js';

/** Chapter 9, versioning. */
export const versioning = {
  'spec-9-version': { source: 'spec 9.2', text: 'Updates pass the version: of two writers one wins.' },
} as const satisfies Readonly<Record<string, Requirement>>;
