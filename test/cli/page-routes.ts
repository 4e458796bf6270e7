import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import type { TestApp } from '../support/app.js';

/** The part of an import line that determines its path. */
interface PlacedLine {
  readonly key: string;
  readonly parent: string | null;
  readonly locale: string;
  readonly slug: string;
}

/** One URL of the JSON sitemap. */
interface ListedUrl {
  readonly loc: string;
  readonly path: string;
  readonly locale: string;
  readonly alternates: readonly { readonly hreflang: string; readonly href: string }[];
}

export async function linesOf<T extends PlacedLine = PlacedLine>(file: string): Promise<T[]> {
  const text = await readFile(file, 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

/**
 * Expected key by `locale path`, computed without the service from the slugs of a page's parents. @param
 * leading the locale whose parents apply
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

export async function sitemapOf(host: TestApp, project: string): Promise<ListedUrl[]> {
  const path = `/api/delivery/projects/${project}/sites/main/sitemap?format=json`;
  const response = await host.request.get(path);
  expect(response.status).toBe(200);
  return (response.body as { data: ListedUrl[] }).data;
}

/** Resolves every sitemap path without its locale prefix; returns keys by `locale path`. */
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
