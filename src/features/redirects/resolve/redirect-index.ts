import { pathAndAncestors } from '../redirect-path.js';
import { targetOf, type RedirectRule } from '../redirect-rule.js';

export interface RedirectHop {
  readonly rule: RedirectRule;
  readonly target: string;
}

interface Lookup {
  readonly path: string;
  readonly locale: string;
}

const appliesTo = (rule: RedirectRule, locale: string): boolean =>
  rule.locale === null || rule.locale === locale;

/** Selects the rule for a path; used by delivery and by checks. */
export class RedirectIndex {
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
    const known = this.#bySource.get(rule.source);
    if (known === undefined) this.#bySource.set(rule.source, [rule]);
    // Locale-specific rules come first.
    else if (rule.locale === null) known.push(rule);
    else known.unshift(rule);
  }

  /** Exact, then longest prefix, then patterns by creation (decisions 2.13). */
  match(path: string, locale: string): RedirectHop | undefined {
    const lookup = { path, locale };
    return (
      this.#first(this.#bySource.get(path), 'exact', lookup) ??
      this.#longestPrefix(lookup) ??
      this.#first(this.#patterns, 'regex', lookup)
    );
  }

  #longestPrefix(lookup: Lookup): RedirectHop | undefined {
    for (const source of pathAndAncestors(lookup.path)) {
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
      const target = targetOf(rule, lookup.path);
      if (target !== undefined) return { rule, target };
    }
    return undefined;
  }
}
