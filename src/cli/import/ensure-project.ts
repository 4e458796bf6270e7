import type { FieldInput } from '../../../contracts/content/fields/field.js';
import { createContentType, type OperationsClient } from '../client/operations-client.js';
import { isAppError, type NewContentType } from '../client/rest-operations.js';
import type { Survey } from './survey.js';

export interface Destination {
  readonly project: string;
  readonly tenant?: string | undefined;
  readonly site: string;
}

export interface PreparedSite {
  readonly siteId: string;
  readonly locales: readonly string[];
  /** Whether pages have the field `pictures`. */
  readonly hasPictures: boolean;
  /** What was created, as words for the summary. */
  readonly created: readonly string[];
}

const pages = { contentTypes: ['page'] };

const picturesField: FieldInput = {
  apiName: 'pictures',
  type: 'media',
  isList: true,
  localized: true,
  description: 'Pictures of the page, in its order.',
};

const pageFields: readonly FieldInput[] = [
  { apiName: 'title', type: 'text', required: true },
  { apiName: 'body', type: 'richText' },
  {
    apiName: 'key',
    type: 'text',
    required: true,
    unique: true,
    localized: false,
    description: 'The page’s id in the corpus.',
  },
  { apiName: 'position', type: 'integer', description: 'Order among siblings, from 0.' },
  { apiName: 'parent', type: 'reference', settings: pages },
  { apiName: 'related', type: 'reference', isList: true, settings: pages },
];

const pageType: Omit<NewContentType, 'fields'> = {
  apiName: 'page',
  name: 'Page',
  description: 'A page of an imported corpus.',
  isPage: true,
  displayField: 'title',
};

async function findOptional<T>(
  lookup: Promise<T>,
  missing: 'tenant_not_found' | 'project_not_found' | 'site_not_found' | 'content_type_not_found',
): Promise<T | undefined> {
  try {
    return await lookup;
  } catch (error) {
    if (isAppError(error, missing)) return undefined;
    throw error;
  }
}

async function createProject(
  client: OperationsClient,
  { project, tenant = project }: Destination,
  survey: Survey,
): Promise<string[]> {
  const newProject = { slug: project, name: project };
  if (
    (await findOptional(client.call('tenants', 'get', { tenantSlug: tenant }), 'tenant_not_found')) !==
    undefined
  ) {
    await client.call('projects', 'create', { tenantSlug: tenant, ...newProject });
    return [`project ${project}`];
  }
  const { locales, defaultLocale } = survey;
  await client.call('tenants', 'create', {
    slug: tenant,
    name: tenant,
    locales: [...locales],
    defaultLocale,
    project: newProject,
  });
  return [`tenant ${tenant}`, `project ${project}`];
}

async function assertTenant(client: OperationsClient, { project, tenant }: Destination): Promise<void> {
  if (tenant === undefined) return;
  const known = await findOptional(client.call('tenants', 'get', { tenantSlug: tenant }), 'tenant_not_found');
  if (known?.data.projects.some(({ slug }) => slug === project) !== true) {
    throw new Error(
      `The project ${project} belongs to another tenant than ${tenant}. Omit --tenant, or choose another project.`,
    );
  }
}

/** Only pages with pictures need a field for them, so that earlier projects remain usable. */
async function ensureType(
  client: OperationsClient,
  projectSlug: string,
  { pictures }: Survey,
): Promise<Pick<PreparedSite, 'created' | 'hasPictures'>> {
  const wanted = pictures.size === 0 ? pageFields : [...pageFields, picturesField];
  const known = await findOptional(
    client.call('contentTypes', 'get', { projectSlug, apiName: 'page' }),
    'content_type_not_found',
  );
  if (known === undefined) {
    await createContentType(client, projectSlug, { ...pageType, fields: wanted });
    return { created: ['content type page'], hasPictures: wanted.includes(picturesField) };
  }
  const fits = ({ apiName, type, isList = false }: FieldInput): boolean =>
    known.data.fields.some(
      (field) => field.apiName === apiName && field.type === type && field.isList === isList,
    );
  const missing = wanted.filter((field) => !fits(field)).map(({ apiName, type }) => `${apiName} (${type})`);
  if (missing.length > 0) {
    throw new Error(
      `The content type page of ${projectSlug} lacks the fields ${missing.join(', ')}. Add them, or import into another project.`,
    );
  }
  return { created: [], hasPictures: fits(picturesField) };
}

/**
 * Creates tenant, project, site and content type where they are missing; existing ones are not changed.
 * @throws Error in one line when an existing one does not fit
 */
export async function ensureProject(
  client: OperationsClient,
  destination: Destination,
  survey: Survey,
): Promise<PreparedSite> {
  const { project: projectSlug, site: siteSlug } = destination;
  const lookForSite = async () =>
    (await findOptional(client.call('sites', 'get', { projectSlug, siteSlug }), 'site_not_found'))?.data;
  const isThere = await findOptional(client.call('locales', 'list', { projectSlug }), 'project_not_found');
  const created = isThere === undefined ? await createProject(client, destination, survey) : [];
  await assertTenant(client, destination);
  let site = await lookForSite();
  if (site === undefined) {
    const { locales, defaultLocale } = survey;
    const input = { projectSlug, slug: siteSlug, name: siteSlug, locales: [...locales], defaultLocale };
    // Slugs may be equal in every locale: the prefix distinguishes their paths.
    const localePathStrategy = locales.length > 1 ? 'prefix' : 'none';
    site = (await client.call('sites', 'create', { ...input, localePathStrategy })).data;
    created.push(`site ${siteSlug}`);
  }
  const type = await ensureType(client, projectSlug, survey);
  created.push(...type.created);
  return { siteId: site.id, locales: site.locales, hasPictures: type.hasPictures, created };
}
