import { createDeliveryClient, HeadwaterError, image, type DeliveryOptions } from 'headwater-client';
import type { RichTextValue } from 'headwater-client/rich-text';
import type { ContentTypes } from '../content-types.ts';

const { HEADWATER_URL, HEADWATER_PROJECT, HEADWATER_SITE, HEADWATER_KEY, HEADWATER_WEBHOOK_SECRET } =
  process.env;

const service = HEADWATER_URL ?? '';
export const secret = HEADWATER_WEBHOOK_SECRET;

/** Reads the site, with the types of the project. */
export const createSite = (options: Pick<DeliveryOptions, 'fetch' | 'kept'> = {}) =>
  createDeliveryClient<ContentTypes>({
    url: service,
    project: HEADWATER_PROJECT ?? '',
    site: HEADWATER_SITE ?? '',
    key: HEADWATER_KEY || undefined,
    ...options,
  });

type Site = ReturnType<typeof createSite>;

export interface Resolved {
  readonly status: number;
  readonly route?: Awaited<ReturnType<Site['resolveRoute']>>['data'];
}

/** What a path of the site shows. */
export async function readRoute(site: Site, path: string, previewToken?: string): Promise<Resolved> {
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

interface Picture {
  readonly url?: string;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly altText?: string | null;
}

/** Fields that a page shows, whichever of them its content type has. */
interface Shown {
  readonly title?: unknown;
  readonly lead?: unknown;
  readonly summary?: unknown;
  readonly body?: RichTextValue | null;
  readonly picture?: Picture | null;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** What a page shows of its entry. Change it where your content types name their fields otherwise. */
export function partsOf(entry: { readonly fields: object }) {
  const { title, lead, summary, body, picture } = entry.fields as Shown;
  return {
    title: textOf(title),
    lead: textOf(lead) ?? textOf(summary),
    body: body?.raw ? body : undefined,
    picture: picture?.url && {
      // Files of the service have addresses without a host.
      ...image({ ...picture, url: new URL(picture.url, service).href }, { width: 720 }),
      sizes: '(max-width: 720px) 100vw, 720px',
      alt: picture.altText ?? '',
    },
  };
}

/** What a page loads in a preview, so that a change shows at once and a click leads to the field. */
export const scriptOf = (token: string) => ({
  src: `${service}/preview.js`,
  'data-project': HEADWATER_PROJECT,
  'data-site': HEADWATER_SITE,
  'data-token': token,
});
