import { withWarnings, type Warned } from '../../../../contracts/envelopes.js';
import type { redirects } from '../../../../contracts/management/redirects.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Redirect } from '../../../../contracts/resources/redirect.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { authorizeRedirect } from './redirect-rights.js';
import { redirectEvent } from './redirect.events.js';
import {
  assertAllowedTarget,
  assertNoLoop,
  assertRoomForPattern,
  assertSiteLocale,
  findSite,
  withParsedPaths,
} from './redirect.policy.js';
import { presentRedirect } from './redirect.presenter.js';
import { redirectWarnings } from './redirect-warnings.js';
import { RedirectRepository, type RedirectRow } from '../redirect.repository.js';

type Input = InputOf<typeof redirects.create>;

function draftOf(work: UnitOfWork, input: Input, siteId: string): RedirectRow {
  return withParsedPaths({
    id: work.newId(),
    siteId,
    source: input.source,
    target: input.target ?? null,
    status: input.status ?? 301,
    matchType: input.matchType ?? 'exact',
    queryMatch: input.queryMatch ?? 'ignore',
    locale: input.locale ?? null,
    isActive: input.isActive ?? true,
    origin: 'manual',
    note: input.note || null,
    hitCount: 0,
    lastHitAt: null,
    createdAt: work.now,
    updatedAt: work.now,
  });
}

export async function createRedirect(work: UnitOfWork, input: Input): Promise<Warned<Redirect>> {
  const catalog = await work.use(CatalogRepository).current();
  const site = findSite(catalog, input.siteId);
  authorizeRedirect(work, { siteId: site.id, locales: [input.locale ?? null] }, 'create');
  const row = draftOf(work, input, site.id);
  assertSiteLocale(site, row.locale);
  assertAllowedTarget(site, row.target);
  const redirects = work.use(RedirectRepository);
  await redirects.lockAll();
  if (row.matchType === 'regex') await assertRoomForPattern(work, row);
  await redirects.insert(row);
  await assertNoLoop(work, site, row);
  work.emit(redirectEvent('created', row));
  return withWarnings(presentRedirect(row), redirectWarnings(row));
}
