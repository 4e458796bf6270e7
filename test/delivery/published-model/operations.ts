import { fc } from '../../support/properties.js';
import type { Kind, Locale } from './model.js';

const pick = fc.nat(11);
const locale: fc.Arbitrary<Locale> = fc.constantFrom('en', 'en', 'de');
const kind: fc.Arbitrary<Kind> = fc.constantFrom(
  'text',
  'longText',
  'integer',
  'boolean',
  'json',
  'richText',
  'reference',
  'blocks',
);
const shape = fc
  .record({ kind, localized: fc.boolean(), isList: fc.boolean(), isGroup: fc.boolean() })
  .map((one) => ({
    ...one,
    isList: one.isList || one.kind === 'blocks',
    isGroup: one.isGroup && one.kind === 'blocks',
  }));

const changes = {
  create: fc.record({ type: pick, values: pick }),
  write: fc.record({ entry: pick, field: pick, locale, value: fc.option(pick, { freq: 4, nil: undefined }) }),
  writeBlocks: fc.record({ entry: pick, list: pick, field: pick, locale, value: pick }),
  publish: fc.record({ entry: pick, locale }),
  unpublish: fc.record({ entry: pick, locale }),
  addField: fc.record({ type: pick, name: pick, shape }),
  renameField: fc.record({ type: pick, field: pick, name: pick }),
  deleteField: fc.record({ type: pick, field: pick }),
  changeKind: fc.record({ type: pick, field: pick }),
  convert: fc.record({ type: pick, field: pick, to: fc.constantFrom('list', 'place', 'both') }),
  renameType: fc.record({ type: pick, name: pick }),
  fallBack: fc.record({ type: pick }),
  apply: fc.record({ type: pick, dropped: fc.option(pick), renamed: fc.option(pick), name: pick, shape }),
  undo: fc.record({}),
  writeTexts: fc.record({}),
} as const;

const weights: Partial<Record<keyof typeof changes, number>> = {
  write: 4,
  writeBlocks: 3,
  publish: 4,
  create: 2,
  apply: 2,
  undo: 2,
  convert: 2,
};

type ValueOf<A> = A extends fc.Arbitrary<infer Value> ? Value : never;
type Changes = { [Verb in keyof typeof changes]: { verb: Verb } & ValueOf<(typeof changes)[Verb]> };
export type Change = Changes[keyof Changes];
export type ChangeOf<Verb extends keyof Changes> = Changes[Verb];

const change: fc.Arbitrary<Change> = fc.oneof(
  ...(Object.keys(changes) as (keyof typeof changes)[]).map((verb) => ({
    weight: weights[verb] ?? 1,
    arbitrary: (changes[verb] as fc.Arbitrary<object>).map(
      (values) => ({ verb, ...values }) as unknown as Change,
    ),
  })),
);

/** Changes of a branch, which is then promoted, and rolled back or not. A promotion converts no values. */
export interface Branch {
  readonly verb: 'branch';
  readonly changes: readonly Change[];
  readonly isRolledBack: boolean;
}

export type Operation = Change | Branch;

const branch: fc.Arbitrary<Branch> = fc.record({
  verb: fc.constant('branch'),
  changes: fc.array(
    change.filter(({ verb }) => verb !== 'convert'),
    { minLength: 1, maxLength: 4, size: 'max' },
  ),
  isRolledBack: fc.boolean(),
});

export const sequence: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof({ weight: 9, arbitrary: change }, { weight: 1, arbitrary: branch }),
  { minLength: 3, maxLength: 10, size: 'max' },
);
