import type { Requirement } from './requirement.js';

/** Environments: creation, choice, protection and deletion. */
export const environments = {
  'environments/choice': {
    source: 'environments/choice',
    text: 'A user or key selects an environment; a header names another for one call; a bound key uses no other.',
  },
  'environments/rollback': {
    source: 'environments/rollback',
    text: 'A rollback puts back every row that a promotion changed, or lists what changed since and changes nothing.',
  },
  'environments/own-blocks': {
    source: 'environments/promotion',
    text: 'Own blocks are copied with an environment, and compared, merged, promoted and rolled back per block and field.',
  },
  'environments/promotion-merge': {
    source: 'environments/promotion',
    text: 'A promotion merges by field and locale, reports what both sides changed, and leaves the target as it is when it is refused.',
  },
  'environments/promotion-statuses': {
    source: 'environments/promotion',
    text: 'With publish a promotion publishes and unpublishes what the source did; what only the target changed remains.',
  },
  'environments/comparison': {
    source: 'environments/comparison',
    text: 'Any two environments that descend from one are compared and promoted, from the last state that both had.',
  },
  'environments/promotion-jobs': {
    source: 'environments/promotion-jobs',
    text: 'A promotion or rollback of more than 10,000 items is a job with progress: visible at once, repeated after a crash.',
  },
  'environments/copy-of-media': {
    source: 'environments/copy',
    text: 'Files that only a branch has are served by its URLs; promotions and rollbacks carry assets, folders and overlays.',
  },
  'environments/header': {
    source: 'environments/choice',
    text: 'Every surface takes X-Environment; delivery to the public is always from the default environment.',
  },
  'environments/copy-separate': {
    source: 'environments/copy',
    text: 'An operation in one environment neither shows nor changes items of another one.',
  },
  'environments/preview-links': {
    source: 'environments/choice',
    text: 'A preview link shows the environment that it was created in, without a key, until the environment is deleted.',
  },
  'environments/copy-snapshot': {
    source: 'environments/copy',
    text: 'An environment is copied under one snapshot, complete or not at all, and separate from its base.',
  },
  'environments/copy-after-kill': {
    source: 'environments/copy',
    text: 'A process that dies during a copy, a promotion or a rollback leaves it done or not done, and a copy is finished after the restart.',
  },
  'environments/deletion': {
    source: 'environments/protection',
    text: 'A deleted environment is gone at once, then with every row; selections fall back, bound keys are refused.',
  },
  'environments/protection': {
    source: 'environments/protection',
    text: 'In a protected environment keys confirm what is public or irreversible.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
