import { createSite, readRoute, secret, type Resolved } from './site.ts';

/** What the webhook renews. */
export const TAG = 'headwater';
const HOUR = 3600;

const reading = (options: RequestInit) =>
  createSite({ kept: 0, fetch: (url, init) => fetch(url, { ...init, ...options }) });

export const site = reading({ cache: 'no-store' });
/** Next keeps what this reads, until the webhook says that content has changed. */
const keptSite = reading({ next: { tags: [TAG], revalidate: HOUR } });

/** What a path of the site shows. */
export const resolve = (path: string, previewToken?: string): Promise<Resolved> =>
  readRoute(previewToken || !secret ? site : keptSite, path, previewToken);
