import { createSite, readRoute, secret, type Resolved } from './site.ts';

export const site = createSite();

/** Routes by path, until the webhook says that content has changed. */
const kept = new Map<string, Resolved>();
const KEPT = 1000;

export const forget = (): void => kept.clear();

/** What a path of the site shows. */
export async function resolve(path: string, previewToken?: string): Promise<Resolved> {
  if (previewToken || !secret) return readRoute(site, path, previewToken);
  const known = kept.get(path);
  if (known) return known;
  const resolved = await readRoute(site, path);
  // Paths that do not exist are without number.
  if (resolved.route && kept.size < KEPT) kept.set(path, resolved);
  return resolved;
}
