import type { SiteDefinition, Catalog } from '../../../content/catalog.js';
import { publicPath } from '../../../content/route-path.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { EntryTreeRepository } from '../../routing/tree/index.js';
import { PreviewRepository } from './preview.repository.js';
import { isPermitted, refusal } from '../../../access/authorize.js';
import { readsSite } from '../../../access/grants.js';
import { limits } from '../../../../contracts/limits.js';
import type { PreviewSessionTokens, PreviewTokens } from '../../../access/signed-token.js';
import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { entries } from '../../../../contracts/entries/entries/entries.contract.js';
import type { PreviewLink } from '../../../../contracts/entries/previews/preview.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import {
  EntryRepository,
  HistoryRepository,
  localeFor,
  noValues,
  presentState,
  siteOf,
} from '../entries/index.js';
import { makingKey, withinKey } from '../../shared/key-reach.js';
import { ReleaseRepository } from '../releases/index.js';
import { readsEveryEntry } from '../../shared/readable-entries.js';

/** Placeholders of a preview URL template. */
interface PreviewPlace {
  readonly token: string;
  /** Starts with a slash. */
  readonly path: string;
  readonly locale: string;
  readonly slug: string;
  readonly entryId: string;
  readonly contentType: string;
}

/** Keeps slashes and encodes everything else, so that a path stays within its part of the URL. */
const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Unknown placeholders are left unchanged. */
function fillPlaceholders(
  template: string,
  values: Readonly<Record<string, string>>,
  encode: (value: string, name: string) => string = (value) => value,
): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? whole : encode(value, name);
  });
}

const fillTemplate = (template: string, place: PreviewPlace): string =>
  fillPlaceholders(template, { ...place }, (value, name) =>
    name === 'path' ? encodePath(value) : encodeURIComponent(value),
  );

type PreviewedEntry = Pick<PreviewPlace, 'slug' | 'locale' | 'entryId'>;

/**
 * The route that the entry will have in the locale, else the `previewPath` of its type, else its slug (rule publication/previews).
 * Starts with a slash.
 */
async function previewPath(
  work: UnitOfWork,
  site: SiteDefinition,
  { contentTypeId, ...place }: PreviewedEntry & { readonly contentTypeId: string },
): Promise<string> {
  const route = await work.use(EntryTreeRepository).draftPath(place.entryId, place.locale);
  if (route !== undefined) return publicPath(site, place.locale, route);
  const template = (await work.use(PreviewRepository).pathOf(contentTypeId)) ?? '/{slug}';
  return `/${fillPlaceholders(template, place).replace(/^\/+/, '')}`;
}

type Input = InputOf<typeof entries.preview>;
type SessionInput = InputOf<typeof entries.previewSite>;

interface PreviewServices {
  readonly previewTokens: PreviewTokens;
  /** Empty when the public URL is unknown. */
  readonly baseUrl: string;
}

function templateSite(catalog: Catalog, own: SiteDefinition, siteId: string | undefined): SiteDefinition {
  const site = siteId === undefined ? own : catalog.site(siteId.toLowerCase());
  if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
  return site;
}

/** A draft in delivery, where its site has no template; browsers are led to the page that the service renders. */
const deliveredUrl = (
  baseUrl: string,
  { project, site, entryId }: { readonly project: string; readonly site: string; readonly entryId: string },
  query: { readonly locale: string; readonly previewToken: string },
): string =>
  `${baseUrl}/api/delivery/projects/${project}/sites/${site}/entries/${entryId}?${new URLSearchParams({ ...query }).toString()}`;

/** The page that the service renders, where the site has no template. An entry is shown by its own site only. */
const renderedUrl = (
  baseUrl: string,
  { project, site }: { readonly project: string; readonly site: string },
  query: { readonly entry?: string; readonly locale: string; readonly previewToken: string },
): string => `${baseUrl}/preview/${project}/${site}?${new URLSearchParams({ ...query }).toString()}`;

const writing = [
  'entries.create',
  'entries.update',
  'entries.publish',
  'entries.unpublish',
  'entries.transition',
] as const;

/** In whole seconds: at most an hour for who may only read, and never after the calling key (rule publication/previews). */
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
  const written = localeFor(catalog, entry, input.locale);
  // The link shows the document in the locale that it is asked for.
  const locale = input.locale ?? written;
  const { id: siteId } = templateSite(catalog, own, input.siteId);
  if (
    version !== undefined &&
    (await work.use(HistoryRepository).snapshotAt(entry.id, version, written)) === undefined
  )
    throw new AppError('version_not_found', { path: ['versionNum'], versionNum: version });
  const { slug, contentTypeApiName: contentType } = presentState(entry, written, catalog);
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
      ? deliveredUrl(
          baseUrl,
          { project: project.slug, site: own.slug, entryId },
          { locale, previewToken: token },
        )
      : fillTemplate(template, place);
  // The link is a credential for the draft, so the record names its creator.
  const after = { jti: tokenId, locale, versionNum: version ?? null, expiresAt: expiresAt.toISOString() };
  entries.note({ action: 'entry.preview', entry, locale, before: null, after });
  return { data: { url, token, expiresAt: expiresAt.toISOString() } };
}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

/**
 * The page that the URL of a session is of: the draft of an entry, or the start of the site.
 * @throws AppError 404 `entry_not_found` for an entry of another site, `locale_not_found`
 */
async function firstPage(
  work: UnitOfWork,
  site: SiteDefinition,
  { entryId, locale: asked, locales }: Pick<SessionInput, 'entryId' | 'locale' | 'locales'>,
): Promise<Omit<PreviewPlace, 'token'> & { readonly isEntry: boolean }> {
  const shown = locales ?? site.locales;
  const start = shown.includes(site.defaultLocale) ? site.defaultLocale : (shown[0] ?? site.defaultLocale);
  const locale = asked ?? start;
  if (!shown.includes(locale)) throw new AppError('locale_not_found', { path: ['locale'] });
  if (entryId === undefined) {
    const path = publicPath(site, locale, '/');
    return { path, locale, slug: '', entryId: site.homeEntryId ?? '', contentType: '', isEntry: false };
  }
  const entry = await work.use(EntryRepository).find(entryId, noValues);
  if (entry.siteId !== site.id) throw new AppError('entry_not_found', { path: ['entryId'] });
  const catalog = await work.use(CatalogRepository).current();
  const { slug, contentTypeApiName: contentType } = presentState(
    entry,
    localeFor(catalog, entry, locale),
    catalog,
  );
  const { id, contentTypeId } = entry;
  const path = await previewPath(work, site, { contentTypeId, entryId: id, locale, slug });
  return { path, locale, slug, entryId: id, contentType, isEntry: true };
}

/** @throws AppError 404 `release_not_found`, 422 for a time that is not in the future */
async function futureOf(
  work: UnitOfWork,
  { releaseId, at: time }: SessionInput,
): Promise<{ readonly releaseId?: string | undefined; readonly at?: Date | undefined }> {
  if (releaseId !== undefined) await work.use(ReleaseRepository).find(releaseId);
  const at = time === undefined ? undefined : new Date(time);
  if (at !== undefined && at <= work.now)
    throw invalidInput({ path: ['at'], code: 'not_in_future', message: 'at must be in the future.' });
  return { releaseId: releaseId?.toLowerCase(), at };
}

/** A whole site, for reviewers and draft modes (rule publication/preview-sessions). */
export async function createPreviewSession(
  work: UnitOfWork,
  input: SessionInput,
  {
    previewSessions,
    baseUrl,
  }: Pick<PreviewServices, 'baseUrl'> & { readonly previewSessions: PreviewSessionTokens },
): Promise<{ data: PreviewLink }> {
  const catalog = await work.use(CatalogRepository).current();
  const { project, environment } = catalog.data;
  const site = catalog.site(input.siteId.toLowerCase());
  if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
  const { scope } = work;
  if (scope.metadata.personalKeyId !== undefined)
    throw new AppError(
      'permission_denied',
      undefined,
      'A preview session of a personal key would outlive it. Log in, or use an API key.',
    );
  if (!readsSite(scope, site.id)) throw refusal(work, 'entries.read', { siteId: site.id });
  const locales = input.locales && [...new Set(input.locales)];
  const unknown = locales?.findIndex((code) => !site.locales.includes(code)) ?? -1;
  if (unknown >= 0) throw new AppError('locale_not_found', { path: ['locales', unknown] });
  const future = await futureOf(work, input);
  const expiresAt = expiryOf(work, input.expiresIn);
  const tokenId = work.newId();
  const { actor, sessionId: loginId } = scope;
  const maker = { kind: actor.type === 'api_key' ? 'api_key' : 'user', id: actor.id ?? '' } as const;
  const place = { projectId: project.id, environmentId: environment.id, siteId: site.id, locales };
  const previews = work.use(PreviewRepository);
  const template = await previews.templateOf(site.id);
  const first = await firstPage(work, site, { ...input, locales });
  const siteOrigin =
    template === null ? undefined : originOf(fillTemplate(template, { ...first, token: '' }));
  const claims = { ...place, ...future, maker, loginId, siteOrigin, expiresAt, tokenId };
  const token = await previewSessions.issue(claims);
  const url =
    template === null
      ? renderedUrl(
          baseUrl,
          { project: project.slug, site: site.slug },
          { ...(first.isEntry && { entry: first.entryId }), locale: first.locale, previewToken: token },
        )
      : fillTemplate(template, { ...first, token });
  const { releaseId = null, at = null } = future;
  const shown = { locales: locales ?? null, releaseId, at: at?.toISOString() ?? null };
  previews.noteSession(site, { jti: tokenId, ...shown, expiresAt: expiresAt.toISOString() });
  return { data: { url, token, expiresAt: expiresAt.toISOString() } };
}
