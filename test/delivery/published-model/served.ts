import { blocksIn, partsOf } from './blocks.js';
import { draftValues } from './drafts.js';
import { typeOf, type Locale, type Model, type ModelBlock, type ModelEntry, type Values } from './model.js';

/** What readers get: published documents, or drafts in a preview. */
export type State = 'live' | 'drafts';

export interface Served {
  readonly state: State;
  readonly locale: Locale;
}

/** German falls back to English. */
const chainOf = (locale: Locale): readonly Locale[] => (locale === 'de' ? ['de', 'en'] : ['en']);

const written = (entry: ModelEntry, { state, locale }: Served): readonly Locale[] =>
  chainOf(locale).filter((code) => entry[state].has(code));

export const isServed = (entry: ModelEntry, served: Served): boolean => written(entry, served).length > 0;

/** The values of the best locale of the chain, with those of the next one in fields that fall back. */
export function servedValues(model: Model, entry: ModelEntry, served: Served): Values {
  const [own = new Map(), fallback] = written(entry, served).map((locale) =>
    served.state === 'drafts' ? draftValues(entry, locale) : (entry.live.get(locale) ?? new Map()),
  );
  if (fallback === undefined) return own;
  const others = blocksById({ type: entry.type, values: fallback });
  return completed(model, { type: entry.type, values: own }, { fallback, others });
}

const blocksById = (part: { readonly type: number; readonly values: Values }) =>
  new Map(partsOf(part).flatMap(({ id, ...block }) => (id === undefined ? [] : [[id, block] as const])));

const isUnset = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

function completed(
  model: Model,
  { type: key, values }: { readonly type: number; readonly values: Values },
  from: { readonly fallback: Values; readonly others: ReturnType<typeof blocksById> },
): Values {
  const type = typeOf(model, { type: key });
  const shown = new Map(values);
  for (const field of type.fields) {
    const fallback = from.fallback.get(field.key);
    if (!isUnset(shown.get(field.key))) {
      const blocks = blocksIn(shown.get(field.key));
      if (blocks.length > 0) shown.set(field.key, blocks.map(complete));
    } else if (type.fieldFallback && field.localized && !isUnset(fallback)) shown.set(field.key, fallback);
  }
  return shown;

  function complete(block: ModelBlock): ModelBlock {
    const same = from.others.get(block.id);
    const fallback = same?.type === block.type ? same.values : new Map<number, unknown>();
    return { ...block, values: completed(model, block, { ...from, fallback }) };
  }
}
