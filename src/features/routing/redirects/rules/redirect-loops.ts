import { limits } from '../../../../../contracts/limits.js';
import { nextAddress, RedirectIndex, type RedirectHop } from '../resolve/redirect-index.js';
import { formatAddress, parseAddress } from '../redirect-address.js';
import { sampleStarts, type RedirectRule } from '../redirect-rule.js';

/** Stored active rules of a site. A path may have a query. */
export interface StoredRules {
  /** In creation order. */
  patterns(): Promise<readonly RedirectRule[]>;
  /** Rules on these paths and on all paths reachable from them. */
  reachableFrom(
    paths: readonly string[],
  ): Promise<{ readonly paths: readonly string[]; readonly rules: readonly RedirectRule[] }>;
  /** Targets under the prefixes. */
  targetsUnder(prefixes: readonly string[]): Promise<readonly { prefix: string; target: string }[]>;
}

/** New rules checked against the stored ones. */
export interface LoopCheck {
  /** Active, in input order. */
  readonly rules: readonly RedirectRule[];
  readonly locales: readonly string[];
  /** Whether a stored rule is deleted or changed. */
  isReplaced(stored: RedirectRule): boolean;
}

type Walk =
  | { readonly end: 'reached' }
  | { readonly end: 'unknown'; readonly path: string }
  | { readonly end: 'loop'; readonly loop: readonly RedirectHop[] }
  | { readonly end: 'too long' };

/** Unique per site. */
const keyOf = ({ locale, source }: RedirectRule): string => `${locale ?? ''} ${source}`;

/** After this many rounds, all looping rules are rejected at once. */
const MAXIMUM_ROUNDS = 5;

/** Follows rules while they are still being loaded. */
class Walker {
  /** Memoized results, so that long chains are followed once. */
  readonly #ends = new Map<string, Walk>();
  readonly #partial = new Map<string, Walk>();
  readonly #own: ReadonlySet<string>;
  readonly #index: RedirectIndex;
  readonly #locales = new Set<string>();

  constructor(
    private readonly check: LoopCheck,
    private readonly known: ReadonlySet<string>,
    stored: Iterable<RedirectRule>,
  ) {
    this.#own = new Set(check.rules.map(keyOf));
    this.#index = new RedirectIndex();
    this.addStored(stored);
    for (const rule of check.rules) this.#add(rule);
  }

  /** Skips rules replaced by new ones. */
  addStored(stored: Iterable<RedirectRule>): void {
    this.#partial.clear();
    for (const rule of stored)
      if (!this.#own.has(keyOf(rule)) && !this.check.isReplaced(rule)) this.#add(rule);
  }

  /** One representative per distinct set of rules. */
  localesFor({ locale }: RedirectRule): string[] {
    if (locale !== null) return [locale];
    const special = this.check.locales.filter((code) => this.#locales.has(code));
    const other = this.check.locales.find((code) => !this.#locales.has(code));
    return other === undefined ? special : [...special, other];
  }

  walk(start: string, locale: string): Walk {
    const places = new Map<string, number>();
    const result = this.#follow(start, locale, places);
    // A later start may be short enough.
    if (result.end === 'too long') return result;
    const memory = result.end === 'unknown' ? this.#partial : this.#ends;
    for (const path of places.keys()) memory.set(`${locale} ${path}`, result);
    return result;
  }

  /** @param places receives visited paths with their hop count */
  #follow(start: string, locale: string, places: Map<string, number>): Walk {
    const hops: RedirectHop[] = [];
    let inexactHops = 0;
    for (let path = start; ;) {
      const place = places.get(path);
      if (place !== undefined) return { end: 'loop', loop: hops.slice(place) };
      const state = `${locale} ${path}`;
      const known = this.#ends.get(state) ?? this.#partial.get(state);
      if (known !== undefined) return known;
      if (!this.known.has(path)) return { end: 'unknown', path };
      places.set(path, hops.length);
      const hop = this.#index.match(path, locale);
      if (hop === undefined) return { end: 'reached' };
      hops.push(hop);
      // Prefixes and patterns can generate new paths without end.
      if (hop.rule.matchType !== 'exact' && (inexactHops += 1) > limits.redirectHops)
        return { end: 'too long' };
      const next = nextAddress(hop);
      if (next === undefined) return { end: 'reached' };
      path = next;
    }
  }

  #add(rule: RedirectRule): void {
    this.#index.add(rule);
    if (rule.locale !== null) this.#locales.add(rule.locale);
  }
}

/** Loads only stored rules reachable from the new ones. */
class LoopSearch {
  readonly #loaded = new Map<string, RedirectRule>();
  readonly #known = new Set<string>();
  readonly #starts = new Map<string, string[]>();

  constructor(private readonly stored: StoredRules) {}

  async prepare(rules: readonly RedirectRule[]): Promise<void> {
    for (const rule of await this.stored.patterns()) this.#loaded.set(rule.id, rule);
    const prefixes = rules.filter(({ matchType }) => matchType === 'prefix').map(({ source }) => source);
    const targets = prefixes.length === 0 ? [] : await this.stored.targetsUnder(prefixes);
    const byPrefix = Map.groupBy(targets, ({ prefix }) => prefix);
    for (const rule of rules) {
      const more = rule.matchType === 'prefix' ? (byPrefix.get(rule.source) ?? []) : [];
      this.#starts.set(rule.id, [
        ...sampleStarts(rule),
        ...more.map(({ target }) => formatAddress(parseAddress(target))),
      ]);
    }
  }

  /** Loops by rule; empty if the chain is too long. */
  async loops(check: LoopCheck): Promise<Map<string, readonly RedirectHop[]>> {
    const walker = new Walker(check, this.#known, this.#loaded.values());
    const found = new Map<string, readonly RedirectHop[]>();
    for (let open = check.rules; open.length > 0;) {
      const unknown = new Set<string>();
      const undecided = open.filter((rule) => {
        const walks = this.#walksOf(walker, rule);
        const loop = walks.find((walk) => walk.end === 'loop' || walk.end === 'too long');
        if (loop !== undefined) found.set(rule.id, loop.end === 'loop' ? loop.loop : []);
        const missing = walks.flatMap((walk) => (walk.end === 'unknown' ? walk.path : []));
        for (const path of missing) unknown.add(path);
        return loop === undefined && missing.length > 0;
      });
      open = undecided;
      if (unknown.size > 0) walker.addStored(await this.#load([...unknown]));
    }
    return found;
  }

  #walksOf(walker: Walker, rule: RedirectRule): Walk[] {
    const starts = this.#starts.get(rule.id) ?? [];
    return walker.localesFor(rule).flatMap((locale) => starts.map((start) => walker.walk(start, locale)));
  }

  async #load(paths: readonly string[]): Promise<RedirectRule[]> {
    const { paths: reached, rules } = await this.stored.reachableFrom(paths);
    for (const path of [...paths, ...reached]) this.#known.add(path);
    const fresh = rules.filter(({ id }) => !this.#loaded.has(id));
    for (const rule of fresh) this.#loaded.set(rule.id, rule);
    return fresh;
  }
}

/** Memoized, because many rules share a loop. */
function lastOf(rules: readonly RedirectRule[]): (loop: readonly RedirectHop[]) => string | undefined {
  const order = new Map(rules.map(({ id }, index) => [id, index]));
  const known = new Map<readonly RedirectHop[], string | undefined>();
  return (loop) => {
    if (!known.has(loop)) {
      const places = loop.flatMap(({ rule }) => order.get(rule.id) ?? []);
      known.set(loop, rules[places.reduce((a, b) => Math.max(a, b), -1)]?.id);
    }
    return known.get(loop);
  };
}

/** Ids of rules that would create a loop in any locale. Of a loop of new rules only the last one is rejected. */
export async function findLoops(stored: StoredRules, check: LoopCheck): Promise<ReadonlySet<string>> {
  const search = new LoopSearch(stored);
  await search.prepare(check.rules);
  const refused = new Set<string>();
  for (let round = 1; ; round += 1) {
    const rules = check.rules.filter(({ id }) => !refused.has(id));
    const loops = await search.loops({ ...check, rules });
    if (loops.size === 0) return refused;
    const last = lastOf(rules);
    for (const [id, loop] of loops) refused.add(round < MAXIMUM_ROUNDS ? (last(loop) ?? id) : id);
  }
}
