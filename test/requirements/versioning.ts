import type { Requirement } from './requirement.js';

/** Chapter 9, versioning. */
export const versioning = {
  'spec-9-version': { source: 'spec 9.2', text: 'Updates pass the version: of two writers one wins.' },
  'arch-6-write-cost': {
    source: 'architecture 6',
    text: 'Saving one locale reads and writes that locale and the shared values, and records the changed fields.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
