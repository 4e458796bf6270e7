import { SchemaDocument } from '../../../contracts/deployment/schema/schema-plan.js';
import { unlessRefused, type OperationsClient } from '../client/operations-client.js';
import type { DemoMembers } from '../client/credentials.js';
import { type DemoItem, type DemoRedirect, DemoWriter, isEntry } from './demo-writer.js';
import { assignDemoTasks, ensureDemoMembers } from './demo-members.js';
import { demoPlaces } from './demo-project.js';
import content from './content.json' with { type: 'json' };
import schemaDocument from './schema.json' with { type: 'json' };
import { loadPictures } from './pictures/load-pictures.js';

const { projectSlug } = demoPlaces;

/** What is above another page comes first: paths of published pages do not move while the demo is loaded. */
const items = content.items as readonly DemoItem[];

/** Paths of earlier sites, which still are in printed guides. */
const redirects = content.redirects as readonly DemoRedirect[];

interface DemoSite {
  readonly slug: string;
  readonly name: string;
  readonly defaultLocale: string;
  readonly locales: string[];
  /** Name of the entry at "/". */
  readonly home: string;
}

const sites: readonly DemoSite[] = [
  { slug: 'main', name: 'The Alder Journal', defaultLocale: 'en', locales: ['en', 'de', 'fr'], home: 'home' },
  {
    slug: 'boatyard',
    name: 'Kettle Lock Boatyard',
    defaultLocale: 'de',
    locales: ['de', 'en'],
    home: 'workshop',
  },
];

async function createSites(client: OperationsClient): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const { slug, name, defaultLocale, locales } of sites) {
    const site = { slug, name, defaultLocale, locales, localePathStrategy: 'prefix' as const };
    await unlessRefused(client.call('sites', 'create', { projectSlug, ...site }), 'slug_conflict');
    const { data } = await client.call('sites', 'get', { projectSlug, siteSlug: slug });
    ids.set(slug, data.id);
  }
  return ids;
}

/**
 * Idempotent: completes what an earlier run left unfinished.
 * @returns the logins of the members
 */
export async function loadDemoContent(client: OperationsClient, known: DemoMembers): Promise<DemoMembers> {
  const schema = SchemaDocument.parse(schemaDocument);
  await unlessRefused(client.call('schema', 'applyDocument', { projectSlug, schema }), 'destructive_change');
  const pictures = await loadPictures(client, projectSlug);
  const siteIds = await createSites(client);
  const writer = new DemoWriter(client, siteIds);
  await writer.createAll(items);
  for (const { slug: siteSlug, home } of sites)
    await client.call('sites', 'update', { projectSlug, siteSlug, homeEntryId: writer.idOf(home) });
  for (const entry of items.filter(isEntry)) {
    const picture = pictures.get(entry.name);
    await writer.fill(picture === undefined ? entry : { ...entry, shared: { ...entry.shared, picture } });
  }
  for (const { site, ...redirect } of redirects) {
    const siteId = siteIds.get(site) ?? '';
    await unlessRefused(
      client.call('redirects', 'create', { projectSlug, siteId, ...redirect }),
      'redirect_conflict',
    );
  }
  const { logins, ids } = await ensureDemoMembers(client, known);
  await assignDemoTasks(client, ids, (name) => writer.idOf(name));
  return logins;
}
