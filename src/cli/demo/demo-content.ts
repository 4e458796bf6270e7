import type { Entry } from '../../../contracts/resources/entry.js';
import { htmlToRichText } from '../../content/rich-text/html/html-to-rich-text.js';
import { createContentType, isAppError, type OperationsClient } from '../client/operations-client.js';
import { articles } from './content/articles.js';
import { pages } from './content/pages.js';
import { peopleAndTopics } from './content/people-and-topics.js';
import { demoTypes, relatedField } from './content/types.js';
import type { DemoEntry, DemoLocale, DemoValues, NamedLink, HtmlValue } from './content/demo-entry.js';
import { demoPlaces } from './demo-places.js';

const { projectSlug } = demoPlaces;
const entries: readonly DemoEntry[] = [...peopleAndTopics, ...articles, ...pages];

const sites = [
  { slug: 'main', name: 'The Alder Journal', defaultLocale: 'en', locales: ['en', 'de', 'fr'] },
  { slug: 'boatyard', name: 'Kettle Lock Boatyard', defaultLocale: 'de', locales: ['de', 'en'] },
];

/** An earlier run may have created it. */
async function ignoreConflict(create: Promise<unknown>): Promise<void> {
  await create.catch((error: unknown) => {
    if (!isAppError(error, 'slug_conflict', 'api_name_conflict')) throw error;
  });
}

async function siteIds(client: OperationsClient): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const site of sites) {
    await ignoreConflict(client.call('sites', 'create', { projectSlug, ...site }));
    const { data } = await client.call('sites', 'get', { projectSlug, siteSlug: site.slug });
    ids.set(site.slug, data.id);
  }
  return ids;
}

/** By content type, locale and slug. */
async function existing(client: OperationsClient): Promise<Map<string, Entry>> {
  const known = new Map<string, Entry>();
  for (const locale of demoPlaces.locales) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { data, meta } = await client.call('entries', 'list', { projectSlug, locale, page, limit: 100 });
      for (const entry of data) known.set(`${entry.contentTypeApiName} ${locale} ${entry.slug}`, entry);
      pages = meta.pages;
    }
  }
  return known;
}

/** Writes the demo's entries and replaces links by name with ids. */
class EntryWriter {
  readonly #entries = new Map<string, Entry>();

  constructor(private readonly client: OperationsClient) {}

  /** Creates every entry without values first, so that all can be linked to. */
  async createAll(): Promise<void> {
    const ids = await siteIds(this.client);
    const known = await existing(this.client);
    for (const { name, type, site, locales } of entries) {
      const [locale = '', first] = Object.entries(locales)[0] ?? [];
      const found = known.get(`${type} ${locale} ${first?.slug ?? ''}`);
      const place = { projectSlug, contentTypeApiName: type, siteId: ids.get(site) ?? '', locale };
      const entry =
        found ?? (await this.client.call('entries', 'create', { ...place, slug: first?.slug })).data;
      this.#entries.set(name, entry);
    }
  }

  async fill({ name, shared = {}, locales }: DemoEntry): Promise<void> {
    for (const [locale, version] of Object.entries(locales)) {
      const { slug, fields, status, live = {} } = version;
      await this.#write(name, locale, { slug, fields: { ...shared, ...fields, ...live } });
      if (status === 'draft') continue;
      await this.client.call('entries', 'publish', { projectSlug, id: this.#entry(name).id, locale });
      if (status === 'changed') await this.#write(name, locale, { slug, fields });
    }
  }

  async #write(
    name: string,
    locale: string,
    { slug, fields }: Pick<DemoLocale, 'slug' | 'fields'>,
  ): Promise<void> {
    const { id, version } = this.#entry(name);
    const change = { projectSlug, id, version, locale, slug, fields: this.#resolved(fields) };
    this.#entries.set(name, (await this.client.call('entries', 'update', change)).data);
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`the demo has no entry ${name}`);
    return entry;
  }

  #resolved(values: DemoValues): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(values).map(([apiName, value]) => [apiName, this.#resolve(value)]),
    );
  }

  #resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#resolve(item));
    if (typeof value !== 'object' || value === null) return value;
    if ('linkTo' in value) return { _ref: this.#entry((value as NamedLink).linkTo).id };
    if ('html' in value) return htmlToRichText((value as HtmlValue).html);
    return value;
  }
}

/** Idempotent: completes what an earlier run left unfinished. */
export async function loadDemoContent(client: OperationsClient): Promise<void> {
  for (const type of demoTypes) await ignoreConflict(createContentType(client, projectSlug, type));
  await ignoreConflict(client.call('fields', 'create', { projectSlug, ...relatedField }));
  const writer = new EntryWriter(client);
  await writer.createAll();
  for (const entry of entries) await writer.fill(entry);
}
