import { createDeliveryClient, HeadwaterError } from 'headwater-client';
import type { ContentTypes } from '../content-types.js';

const { HEADWATER_URL, HEADWATER_PROJECT, HEADWATER_SITE, HEADWATER_KEY, HEADWATER_WEBHOOK_SECRET } =
  process.env;

export const service = HEADWATER_URL ?? '';
export const secret = HEADWATER_WEBHOOK_SECRET;

export const site = createDeliveryClient<ContentTypes>({
  url: service,
  project: HEADWATER_PROJECT ?? '',
  site: HEADWATER_SITE ?? '',
  key: HEADWATER_KEY,
});

type Route = Awaited<ReturnType<typeof site.resolveRoute>>['data'];

export interface Resolved {
  readonly status: number;
  readonly route?: Route;
}

/** Routes by path, until the webhook says that content has changed. */
const kept = new Map<string, Resolved>();
const KEPT = 1000;

export const forget = (): void => kept.clear();

async function read(path: string, previewToken?: string): Promise<Resolved> {
  try {
    const { data } = await site.resolveRoute({
      path,
      include: 2,
      blocks: 'all',
      ...(previewToken && { previewToken }),
    });
    return { status: 200, route: data };
  } catch (error) {
    if (error instanceof HeadwaterError && error.status >= 400 && error.status < 500)
      return { status: error.status };
    throw error;
  }
}

/** What a path of the site shows. */
export async function resolve(path: string, previewToken?: string): Promise<Resolved> {
  if (previewToken || !secret) return read(path, previewToken);
  const known = kept.get(path);
  if (known) return known;
  const resolved = await read(path);
  // Paths that do not exist are without number.
  if (resolved.route && kept.size < KEPT) kept.set(path, resolved);
  return resolved;
}

/** What a page loads in a preview, so that a change shows at once and a click leads to the field. */
export const scriptOf = (token: string) => ({
  src: `${service}/preview.js`,
  'data-project': HEADWATER_PROJECT,
  'data-site': HEADWATER_SITE,
  'data-token': token,
});
