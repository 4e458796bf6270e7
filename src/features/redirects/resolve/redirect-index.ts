import { pathAndAncestors } from '../redirect-path.js';
import { targetOf, type RedirectRule } from '../redirect-rule.js';

/** Where a rule leads. */
export interface RedirectHop {
  readonly rule: RedirectRule;
  readonly target: string;
}

interface Asked {
  readonly path: string;
  readonly locale: string;
}

/** Whether a rule is for a locale. */
const isFor = (rule: RedirectRule, locale: string): boolean => rule.locale === null || rule.locale === locale;

/** Rules of one site, from which the one for a path is chosen. The same choice serves delivery and checks. */
export class RedirectBook {
  readonly #bySource = new Map<string, RedirectRule[]>();
  readonly #patterns: RedirectRule[] = [];

  /** @param rules patterns among them in the order of their creation */
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
    // Rules for one locale come before those for every locale.
    else if (rule.locale === null) known.push(rule);
    else known.unshift(rule);
  }

  /** Exact first, then the longest prefix, then patterns in the order of creation (decisions 2.13). */
  match(path: string, locale: string): RedirectHop | undefined {
    const asked = { path, locale };
    return (
      this.#first(this.#bySource.get(path), 'exact', asked) ??
      this.#longestPrefix(asked) ??
      this.#first(this.#patterns, 'regex', asked)
    );
  }

  #longestPrefix(asked: Asked): RedirectHop | undefined {
    for (const source of pathAndAncestors(asked.path)) {
      const hop = this.#first(this.#bySource.get(source), 'prefix', asked);
      if (hop !== undefined) return hop;
    }
    return undefined;
  }

  #first(
    rules: readonly RedirectRule[] | undefined,
    matchType: RedirectRule['matchType'],
    asked: Asked,
  ): RedirectHop | undefined {
    for (const rule of rules ?? []) {
      if (rule.matchType !== matchType || !isFor(rule, asked.locale)) continue;
      const target = targetOf(rule, asked.path);
      if (target !== undefined) return { rule, target };
    }
    return undefined;
  }
}
