import { limits } from '../../../../../contracts/limits.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { splitTarget, formatAddress, parseAddress } from '../redirect-address.js';
import type { RedirectRule } from '../redirect-rule.js';
import { RedirectRulesRepository } from './redirect-rules.repository.js';
import { nextAddress, RedirectIndex } from '../resolve/redirect-index.js';
import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { SiteDefinition } from '../../../../content/catalog.js';
import { AutoRedirectRepository, type PathChange } from './auto-redirect.repository.js';
import { canonicalTarget, isAbsolute } from '../redirect-target.js';
import { assertAllowedTarget, assertNoLoop } from './redirect.policy.js';
import { RedirectRepository } from '../redirect.repository.js';

/**
 * @param key name of the input key
 * @throws AppError 422 `validation_failed`
 */
export function parseTarget(key: string, target: string): string {
  const canonical = canonicalTarget(target);
  if (typeof canonical !== 'string') throw invalidInput({ path: [key], ...canonical });
  if (Buffer.byteLength(canonical) <= limits.redirectPathBytes) return canonical;
  const message = `A target has at most ${limits.redirectPathBytes} bytes.`;
  throw invalidInput({ path: [key], code: 'too_long', message });
}

/**
 * Redirects the path of an unpublished page.
 * @throws AppError 422 for a redirect to itself, `target_not_allowed`, 409 `redirect_conflict` if an active manual redirect exists, 409
 * `redirect_loop`
 */
export async function redirectOldPath(
  work: UnitOfWork,
  site: SiteDefinition,
  { key, locale, from, to }: Omit<PathChange, 'siteId'> & { key: string },
): Promise<void> {
  assertAllowedTarget(site, to, key);
  if (!isAbsolute(to) && formatAddress(parseAddress(to)) === from) {
    const message = 'The page would redirect to its own path.';
    throw invalidInput({ path: [key], code: 'same_as_source', message });
  }
  const id = await work.use(AutoRedirectRepository).redirectPath({ siteId: site.id, locale, from, to });
  if (id === undefined) throw new AppError('redirect_conflict', { path: [key], source: from });
  await assertNoLoop(work, site, await work.use(RedirectRepository).find(id));
}

/** Paths of a site without a page. */
export interface LoopQuestion {
  readonly siteId: string;
  readonly locale: string;
  readonly paths: readonly string[];
  /** Those with a page, which ends a chain. */
  pagesAt(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

interface Walk {
  readonly start: string;
  readonly at: string;
  readonly seen: ReadonlySet<string>;
}

/** The paths from which redirects lead back to a path that they passed, as delivery follows them. */
export async function findLoopingPaths(
  work: UnitOfWork,
  { siteId, locale, paths, pagesAt }: LoopQuestion,
): Promise<ReadonlySet<string>> {
  const stored = work.use(RedirectRulesRepository).ofSite(siteId);
  const index = new RedirectIndex(await stored.patterns());
  const loaded = new Map<string, RedirectRule>();
  const known = new Set<string>();
  const looping = new Set<string>();
  const load = async (places: readonly string[]): Promise<void> => {
    if (places.length === 0) return;
    const { paths: reached, rules } = await stored.reachableFrom(places);
    for (const path of [...places, ...reached]) known.add(path);
    for (const rule of rules) {
      if (!loaded.has(rule.id)) index.add(rule);
      loaded.set(rule.id, rule);
    }
  };
  const follow = ({ start, at, seen }: Walk): Walk[] => {
    const hop = index.match(at, locale);
    const target = hop && nextAddress(hop);
    if (target === undefined) return [];
    if (!seen.has(target)) return [{ start, at: target, seen: new Set([...seen, target]) }];
    looping.add(start);
    return [];
  };
  let walks: Walk[] = paths.map((start) => ({ start, at: start, seen: new Set([start]) }));
  for (let hop = 0; hop < limits.redirectHops && walks.length > 0; hop += 1) {
    await load([...new Set(walks.map(({ at }) => at))].filter((path) => !known.has(path)));
    const moved = walks.flatMap(follow);
    const pathOf = ({ at }: Walk): string => splitTarget(at).path;
    const pages = await pagesAt([...new Set(moved.map(pathOf))]);
    walks = moved.filter((walk) => !pages.has(pathOf(walk)));
  }
  return looping;
}
