import { later, type Requirement } from './requirement.js';

/** Chapter 3, states and transitions; decision 2.11. */
export const states = {
  'spec-3-locales': { source: 'spec 3', text: 'Entries are published and unpublished per locale.' },
  'spec-3-workflow': {
    source: 'spec 3',
    text: 'Entries move through workflows.',
    deferred: later('workflows'),
  },
  'dec-2.11-jobs': {
    source: '2.11',
    text: 'Jobs run at least once, take effect once, are tried again three times and check again when they run.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
