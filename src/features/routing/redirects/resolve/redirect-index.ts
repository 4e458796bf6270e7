import {
  formatAddress,
  parseAddress,
  splitTarget,
  type Address,
  pathAndAncestors,
} from '../redirect-address.js';
import { isAbsolute } from '../redirect-target.js';
import { sourceParameters, targetOf, type RedirectRule } from '../redirect-rule.js';

export interface RedirectHop {
  readonly rule: RedirectRule;
  /** Null for a path that is gone. */
  readonly target: string | null;
}

/** Where the chain goes on; undefined if it ends here. */
export function nextAddress({ target }: RedirectHop): string | undefined {
  return target === null || isAbsolute(target) ? undefined : formatAddress(parseAddress(target));
}

interface Lookup {
  readonly address: Address;
  readonly locale: string;
}

/** Rules of one source path: more parameters first, then those of a locale. */
const compareRules = (a: RedirectRule, b: RedirectRule): number =>
  sourceParameters(b).length - sourceParameters(a).length ||
  Number(a.locale === null) - Number(b.locale === null);

const appliesTo = (rule: RedirectRule, locale: string): boolean =>
  rule.locale === null || rule.locale === locale;

/** Selects the rule for a path; used by delivery and by checks. */
export class RedirectIndex {
  /** By the path of the source. */
  readonly #bySource = new Map<string, RedirectRule[]>();
  readonly #patterns: RedirectRule[] = [];

  /** @param rules patterns in creation order */
  constructor(rules: readonly RedirectRule[] = []) {
    for (const rule of rules) this.add(rule);
  }

  add(rule: RedirectRule): void {
    if (rule.matchType === 'regex') {
      this.#patterns.push(rule);
      return;
    }
    const { path } = splitTarget(rule.source);
    const rules = [...(this.#bySource.get(path) ?? []), rule];
    this.#bySource.set(path, rules.sort(compareRules));
  }

  /**
   * Exact, then longest prefix, then patterns by creation (rule delivery/routes).
   * @param at formatted {@link Address}
   */
  match(at: string, locale: string): RedirectHop | undefined {
    const address = parseAddress(at);
    const lookup = { address, locale };
    return (
      this.#first(this.#bySource.get(address.path), 'exact', lookup) ??
      this.#longestPrefix(lookup) ??
      this.#first(this.#patterns, 'regex', lookup)
    );
  }

  #longestPrefix(lookup: Lookup): RedirectHop | undefined {
    for (const source of pathAndAncestors(lookup.address.path)) {
      const hop = this.#first(this.#bySource.get(source), 'prefix', lookup);
      if (hop !== undefined) return hop;
    }
    return undefined;
  }

  #first(
    rules: readonly RedirectRule[] | undefined,
    matchType: RedirectRule['matchType'],
    lookup: Lookup,
  ): RedirectHop | undefined {
    for (const rule of rules ?? []) {
      if (rule.matchType !== matchType || !appliesTo(rule, lookup.locale)) continue;
      const target = targetOf(rule, lookup.address);
      if (target !== undefined) return { rule, target };
    }
    return undefined;
  }
}

/** Columns, conditions and binds of {@link rulesWithQuery}. */
interface RuleLookup {
  readonly columns: string;
  readonly where: string;
  /** SQL of a path. */
  readonly path: string;
  /** SQL of the request's parameters, `text[]`. */
  readonly parameters: string;
}

/**
 * Rules whose source is the path with a query, all of whose parameters the request has. Parameters of a source are
 * sorted, so that the first one is looked up in the index of sources; an apostrophe follows "&" by byte.
 */
export const rulesWithQuery = ({ columns, where, path, parameters }: RuleLookup): string =>
  `SELECT found.* FROM (SELECT DISTINCT one FROM unnest(${parameters}::text[]) AS one) AS given CROSS JOIN LATERAL (
     SELECT ${columns} FROM redirects WHERE ${where} AND match_type = 'exact'
       AND source >= (${path}::text || '?' || given.one) COLLATE "C"
       AND source < (${path}::text || '?' || given.one || '''') COLLATE "C"
       AND (source = (${path}::text || '?' || given.one) COLLATE "C"
         OR starts_with(source, ${path}::text || '?' || given.one || '&'))
       AND string_to_array(substr(source, length(${path}::text) + 2), '&') <@ ${parameters}::text[] OFFSET 0) AS found`;
