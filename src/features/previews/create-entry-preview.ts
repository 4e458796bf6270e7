import { isPermitted } from '../../access/authorize.js';
import { limits } from '../../../contracts/limits.js';
import type { PreviewTokens } from '../../access/preview-token.js';
import { AppError } from '../../../contracts/errors.js';
import type { entries } from '../../../contracts/management/entries.contract.js';
import type { PreviewLink } from '../../../contracts/resources/preview-link.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Catalog, SiteDefinition } from '../../content/catalog.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import {
  EntryRepository,
  HistoryRepository,
  localeFor,
  noValues,
  presentState,
  siteOf,
} from '../entries/index.js';
import { makingKey, readsEveryEntry, withinKey } from '../shared/index.js';
import { previewPath } from './preview-path.js';
import { fillTemplate, type PreviewPlace } from './preview-url.js';
import { PreviewRepository } from './preview.repository.js';

type Input = InputOf<typeof entries.preview>;

export interface PreviewServices {
  readonly previewTokens: PreviewTokens;
  /** Empty when the public URL is unknown. */
  readonly baseUrl: string;
}

function templateSite(catalog: Catalog, own: SiteDefinition, siteId: string | undefined): SiteDefinition {
  const site = siteId === undefined ? own : catalog.site(siteId.toLowerCase());
  if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
  return site;
}

/** Used when the site has no template. An entry is delivered under its own site only. */
function deliveryUrl(
  baseUrl: string,
  { project, site }: { project: string; site: string },
  { token, locale, entryId }: PreviewPlace,
): string {
  const path = `/api/delivery/projects/${project}/sites/${site}/entries/${entryId}`;
  return `${baseUrl}${path}?${new URLSearchParams({ locale, previewToken: token }).toString()}`;
}

const writing = [
  'entries.create',
  'entries.update',
  'entries.publish',
  'entries.unpublish',
  'entries.transition',
] as const;

/** In whole seconds: at most an hour for who may only read, and never after the calling key (decisions 4.13). */
function expiryOf(work: UnitOfWork, expiresIn: number): Date {
  const { previewSecondsOfReaders: readers } = limits;
  const seconds = writing.some((name) => isPermitted(work, name)) ? expiresIn : Math.min(expiresIn, readers);
  return withinKey(work.scope, new Date((Math.floor(work.now.getTime() / 1000) + seconds) * 1000));
}

export async function createEntryPreview(
  work: UnitOfWork,
  input: Input,
  { previewTokens, baseUrl }: PreviewServices,
): Promise<{ data: PreviewLink }> {
  const { versionNum: version, expiresIn } = input;
  const catalog = await work.use(CatalogRepository).current();
  const { project, environment } = catalog.data;
  const entries = work.use(EntryRepository);
  const entry = await entries.find(input.id, noValues);
  const own = siteOf(catalog, entry);
  const locale = localeFor(catalog, own, input.locale);
  const { id: siteId } = templateSite(catalog, own, input.siteId);
  if (
    version !== undefined &&
    (await work.use(HistoryRepository).snapshotAt(entry.id, version, locale)) === undefined
  )
    throw new AppError('version_not_found', { path: ['versionNum'], versionNum: version });
  const { slug, contentTypeApiName: contentType } = presentState(entry, locale, catalog);
  const expiresAt = expiryOf(work, expiresIn);
  const scope = { projectId: project.id, environmentId: environment.id, entryId: entry.id, locale };
  const tokenId = work.newId();
  const keyId = makingKey(work.scope) ?? undefined;
  const isAlone = !readsEveryEntry(work.scope);
  const token = await previewTokens.issue({ ...scope, version, isAlone, keyId, expiresAt, tokenId });
  const { id: entryId, contentTypeId } = entry;
  const path = input.path ?? (await previewPath(work, own, { contentTypeId, entryId, locale, slug }));
  const place = { token, path, locale, slug, entryId, contentType };
  const template = await work.use(PreviewRepository).templateOf(siteId);
  const url =
    template === null
      ? deliveryUrl(baseUrl, { project: project.slug, site: own.slug }, place)
      : fillTemplate(template, place);
  // The link is a credential for the draft, so the record names its creator.
  const after = { jti: tokenId, locale, versionNum: version ?? null, expiresAt: expiresAt.toISOString() };
  entries.note({ action: 'entry.preview', entry, locale, before: null, after });
  return { data: { url, token, expiresAt: expiresAt.toISOString() } };
}
