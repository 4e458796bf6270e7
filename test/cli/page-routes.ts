import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import type { TestApp } from '../support/app.js';

/** A line of a file of pages, as far as it says where a page stands. */
interface PlacedLine {
  readonly key: string;
  readonly parent: string | null;
  readonly locale: string;
  readonly slug: string;
}

/** What a sitemap says of one page in one locale. */
interface ListedUrl {
  readonly loc: string;
  readonly path: string;
  readonly locale: string;
  readonly alternates: readonly { readonly hreflang: string; readonly href: string }[];
}

/** The lines of a file of pages. */
export async function linesOf<T extends PlacedLine = PlacedLine>(file: string): Promise<T[]> {
  const text = await readFile(file, 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

/**
 * What each path of a file should answer, worked out without the service: the slugs of a page's parents
 * in its locale, by `locale path`.
 * @param leading the locale whose word counts about parents
 */
export function routesIn(lines: readonly PlacedLine[], leading: string): Map<string, string> {
  const known = new Map(lines.map((line) => [`${line.locale} ${line.key}`, line]));
  const pathOf = (key: string, locale: string): string => {
    const parent = known.get(`${leading} ${key}`)?.parent ?? null;
    const slug = known.get(`${locale} ${key}`)?.slug ?? '';
    return `${parent === null ? '' : pathOf(parent, locale)}/${slug}`;
  };
  return new Map(lines.map(({ key, locale }) => [`${locale} ${pathOf(key, locale)}`, key]));
}

/** The project's URLs by its JSON sitemap. */
export async function sitemapOf(host: TestApp, project: string): Promise<ListedUrl[]> {
  const path = `/api/delivery/projects/${project}/sites/main/sitemap?format=json`;
  const response = await host.request.get(path);
  expect(response.status).toBe(200);
  return (response.body as { data: ListedUrl[] }).data;
}

/** Asks for every path of the sitemap, without its prefix but with its locale: key by `locale path`. */
export async function routesOf(host: TestApp, project: string): Promise<Map<string, string>> {
  const routes = new Map<string, string>();
  for (const { path, locale } of await sitemapOf(host, project)) {
    const bare = path.replace(`/${locale}/`, '/');
    const response = await host.request
      .get(`/api/delivery/projects/${project}/sites/main/routes`)
      .query({ path: bare, locale });
    expect(response.status).toBe(200);
    const { data } = response.body as {
      data: { entry: { _locale: string; fields: { key: string } } };
    };
    expect(data.entry._locale).toBe(locale);
    routes.set(`${locale} ${bare}`, data.entry.fields.key);
  }
  return routes;
}
