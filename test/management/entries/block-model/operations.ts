import { fc } from '../../../support/properties.js';
import type { Locale } from './model.js';

const pick = fc.nat(23);
const locale: fc.Arbitrary<Locale> = fc.constantFrom('en', 'en', 'de');
const list = fc.constantFrom('inner' as const, 'inner' as const, 'asides' as const);
const word = fc.option(fc.constantFrom('one', 'two', 'three'), { freq: 4, nil: undefined });

/** A change of the values of a locale, which a client sends as one request. */
const changes = {
  add: fc.record({ verb: fc.constant('add' as const), at: pick, list, word, nested: fc.boolean() }),
  edit: fc.record({
    verb: fc.constant('edit' as const),
    at: pick,
    key: fc.constantFrom('text' as const, 'tone' as const),
    word,
  }),
  reorder: fc.record({ verb: fc.constant('reorder' as const), at: pick, list }),
  remove: fc.record({ verb: fc.constant('remove' as const), at: pick }),
  move: fc.record({ verb: fc.constant('move' as const), at: pick, to: pick, list }),
};

/** What merges with a change of another editor. */
const mergeable = fc.oneof(
  { weight: 2, arbitrary: changes.edit },
  changes.add,
  changes.reorder,
  changes.remove,
);
const change = fc.oneof(
  { weight: 3, arbitrary: changes.add },
  { weight: 3, arbitrary: changes.edit },
  changes.reorder,
  changes.remove,
  { weight: 2, arbitrary: changes.move },
);

const operations = {
  write: fc.record({ verb: fc.constant('write' as const), entry: pick, locale, change }),
  stale: fc.record({
    verb: fc.constant('stale' as const),
    entry: pick,
    locale,
    first: mergeable,
    second: mergeable,
  }),
  share: fc.record({ verb: fc.constant('share' as const), entry: pick, at: pick }),
  detach: fc.record({ verb: fc.constant('detach' as const), entry: pick, at: pick }),
  duplicate: fc.record({ verb: fc.constant('duplicate' as const), entry: pick }),
  copyLocale: fc.record({
    verb: fc.constant('copyLocale' as const),
    entry: pick,
    from: locale,
    overwrite: fc.boolean(),
  }),
  publish: fc.record({ verb: fc.constant('publish' as const), entry: pick, locale }),
  unpublish: fc.record({ verb: fc.constant('unpublish' as const), entry: pick, locale }),
  restore: fc.record({
    verb: fc.constant('restore' as const),
    entry: pick,
    version: pick,
    only: fc.option(locale),
  }),
};

type ValueOf<A> = A extends fc.Arbitrary<infer Value> ? Value : never;
export type Change = ValueOf<(typeof changes)[keyof typeof changes]>;
export type Operation = ValueOf<(typeof operations)[keyof typeof operations]>;
export type OperationOf<Verb extends Operation['verb']> = Extract<Operation, { verb: Verb }>;

export const sequence: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: operations.write },
    { weight: 2, arbitrary: operations.stale },
    { weight: 2, arbitrary: operations.share },
    { weight: 2, arbitrary: operations.detach },
    operations.duplicate,
    { weight: 2, arbitrary: operations.copyLocale },
    { weight: 3, arbitrary: operations.publish },
    operations.unpublish,
    { weight: 2, arbitrary: operations.restore },
  ),
  { minLength: 6, maxLength: 14, size: 'max' },
);
