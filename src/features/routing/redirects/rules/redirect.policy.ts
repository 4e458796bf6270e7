import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { Catalog, SiteDefinition } from '../../../../content/catalog.js';
import type { UnitOfWork, OutboxEvent } from '../../../../persistence/work/unit-of-work.js';
import { findLoops } from './redirect-loops.js';
import { parsePaths, type RedirectRule } from '../redirect-rule.js';
import { RedirectRepository, type RedirectRow } from '../redirect.repository.js';
import { isAllowedTarget } from '../redirect-target.js';
import { RedirectRulesRepository } from './redirect-rules.repository.js';
import type { Redirect } from '../../../../../contracts/routing/redirects/redirect.js';
import type { Warning } from '../../../../../contracts/envelopes.js';

/** @throws AppError 404 `site_not_found` */
export function findSite(catalog: Catalog, siteId: string): SiteDefinition {
  const site = catalog.site(siteId.toLowerCase());
  if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
  return site;
}

/** @throws AppError 404 `locale_not_found` */
export function assertSiteLocale(site: SiteDefinition | undefined, locale: string | null): void {
  if (locale !== null && site?.locales.includes(locale) !== true)
    throw new AppError('locale_not_found', { path: ['locale'], locale });
}

/**
 * Canonicalizes source and target.
 * @throws AppError 422 `validation_failed`
 */
export function withParsedPaths(row: RedirectRow): RedirectRow {
  const checked = parsePaths(row);
  if ('source' in checked) return { ...row, ...checked };
  throw invalidInput(...checked.map(({ key, code, message }) => ({ path: [key], code, message })));
}

/** @throws AppError 422 `target_not_allowed` */
export function assertAllowedTarget(
  site: SiteDefinition | undefined,
  target: string | null,
  key = 'target',
): void {
  const allowed = site?.allowedTargets ?? null;
  if (!isAllowedTarget(target, allowed))
    throw new AppError('target_not_allowed', { path: [key], target, allowedTargets: allowed });
}

/**
 * Patterns are tried in sequence, so their number is limited.
 * @throws AppError 422 `limit_reached`
 */
export async function assertRoomForPattern(work: UnitOfWork, { siteId }: RedirectRow): Promise<void> {
  const counts = await work.use(RedirectRepository).patternCounts([siteId]);
  const maximum = limits.redirectPatternsPerSite;
  if ((counts.get(siteId) ?? 0) >= maximum)
    throw new AppError('limit_reached', { maximum, matchType: 'regex' });
}

/** @throws AppError 409 `redirect_loop` */
export async function assertNoLoop(
  work: UnitOfWork,
  site: SiteDefinition | undefined,
  row: RedirectRow,
): Promise<void> {
  if (!row.isActive || site === undefined) return;
  const isReplaced = ({ id }: RedirectRule): boolean => id === row.id;
  const stored = work.use(RedirectRulesRepository).ofSite(row.siteId);
  const loops = await findLoops(stored, { rules: [row], locales: site.locales, isReplaced });
  if (loops.size > 0) throw new AppError('redirect_loop', { source: row.source, target: row.target });
}

/** Event about one redirect (rule events/webhooks). */
export function redirectEvent(verb: 'created' | 'updated' | 'deleted', row: RedirectRow): OutboxEvent {
  const { id, siteId, locale, source, target, status, queryMatch } = row;
  const data = { redirectId: id, siteId, locale, source, target, status, queryMatch };
  return { type: `redirect.${verb}`, data };
}

export function presentRedirect(row: RedirectRow): Redirect {
  return {
    ...row,
    lastHitAt: row.lastHitAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

type Source = Pick<RedirectRule, 'source' | 'matchType'>;

/** `*`, or something in parentheses. */
const wildcard = /\*|\([^)]*\)/;

/** Whether the source looks like a pattern and is compared literally. */
export const hasLiteralWildcard = ({ source, matchType }: Source): boolean =>
  matchType !== 'regex' && wildcard.test(source);

export function redirectWarnings(rule: Source): Warning[] {
  if (!hasLiteralWildcard(rule)) return [];
  const { source, matchType } = rule;
  const message = `With matchType ${matchType}, ${source} is compared literally. Set matchType to regex for a pattern, or to prefix for all paths below one.`;
  return [{ code: 'literal_source', message }];
}
