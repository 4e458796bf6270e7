import type { Requirement } from './requirement.js';

/** Versioning, and renames. */
export const versioning = {
  'entries/write': { source: 'entries/write', text: 'Updates pass the version: of two writers one wins.' },
  'architecture/write-cost': {
    source: 'architecture 6',
    text: 'Saving one locale reads and writes that locale and the shared values, and records the changed fields.',
  },
  'content/renames-of-stored-names': {
    source: 'content/renames',
    text: 'Everything stored that names a content type or a field follows its rename, but for what says what was.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
