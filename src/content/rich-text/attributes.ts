import { isSafeHref } from './safe-href.js';

/** An attribute without a default is required. */
interface AttributeRule {
  readonly default?: unknown;
  readonly isGood: (value: unknown) => boolean;
  /** Completes "The attribute must be …". */
  readonly hint: string;
}

export type AttributeRules = Readonly<Record<string, AttributeRule>>;

const whole = (min: number, max: number): AttributeRule => ({
  default: min,
  isGood: (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
  hint: `a whole number from ${min} to ${max}`,
});

const matching = (pattern: RegExp, hint: string): AttributeRule => ({
  isGood: (value) => typeof value === 'string' && pattern.test(value),
  hint,
});

/** Editors write null for an unset attribute. */
const orNull = (rule: AttributeRule): AttributeRule => ({
  default: null,
  isGood: (value) => value === null || rule.isGood(value),
  hint: `${rule.hint}, or null`,
});

const text = (maximum: number): AttributeRule =>
  matching(
    new RegExp(`^.{0,${String(maximum)}}$`, 'su'),
    `a string of at most ${String(maximum)} characters`,
  );

const idOf = (what: string): AttributeRule =>
  matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, `the id of ${what}, a lowercase UUID`);
const entryId = idOf('an entry');
const assetId = idOf('an asset');

const listStart = orNull(whole(0, 1_000_000));
const cell: AttributeRules = { colspan: whole(1, 1000), rowspan: whole(1, 1000) };

/** Nodes not listed have no attributes. */
export const nodeAttributes: Readonly<Record<string, AttributeRules>> = {
  heading: { level: whole(1, 6) },
  orderedList: { start: listStart, order: listStart },
  codeBlock: { language: orNull(matching(/^.{0,100}$/u, 'a string of at most 100 characters')) },
  tableHeader: cell,
  tableCell: cell,
  assetEmbed: {
    assetId,
    caption: orNull(text(1000)),
    alt: orNull(text(1000)),
    align: orNull(matching(/^(?:left|center|right|full)$/, 'left, center, right or full')),
  },
  entryEmbed: { entryId },
  entryMention: { entryId },
};

/** Marks not listed have no attributes. */
export const markAttributes: Readonly<Record<string, AttributeRules>> = {
  link: {
    href: orNull({
      isGood: (value) => typeof value === 'string' && isSafeHref(value),
      hint: 'an http, https, mailto or tel address, a relative path or a fragment',
    }),
    entryId: orNull(entryId),
    assetId: orNull(assetId),
    anchor: orNull(matching(/^[^\s#\p{Cc}]{1,200}$/u, 'at most 200 characters without spaces and #')),
    title: orNull(matching(/^.{0,500}$/su, 'a string of at most 500 characters')),
    target: orNull(matching(/^_(?:blank|self|parent|top)$/, '_blank, _self, _parent or _top')),
    rel: orNull(matching(/^[A-Za-z -]{0,200}$/, 'words of letters and hyphens')),
  },
};

/** What a link leads to: exactly one of these. */
export const linkTargets = ['href', 'entryId', 'assetId'] as const;
