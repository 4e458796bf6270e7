import type { SitemapUrl } from '../../../../contracts/resources/sitemap-url.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

export const sitemapHead = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
`;
export const sitemapFoot = '</urlset>\n';

/** One `<url>` with its alternates (sitemaps.org). */
export function urlElement({ loc, lastModified, alternates }: SitemapUrl): string {
  const links = alternates.map(
    ({ hreflang, href }) =>
      `<xhtml:link rel="alternate" hreflang="${escapeXml(hreflang)}" href="${escapeXml(href)}"/>`,
  );
  return `<url><loc>${escapeXml(loc)}</loc><lastmod>${lastModified}</lastmod>${links.join('')}</url>\n`;
}
