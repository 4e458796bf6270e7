const { SERVICE, PROJECT, SITE } = process.env;

/** What a path of the site shows. Published pages are kept for a minute, drafts never. */
export async function resolve(path, token) {
  const query = new URLSearchParams({
    path,
    ...(token && { previewToken: token, contentSourceMaps: 'stega' }),
  });
  const url = `${SERVICE}/api/delivery/projects/${PROJECT}/sites/${SITE}/routes?${query}`;
  const response = await fetch(url, token ? { cache: 'no-store' } : { next: { revalidate: 60 } });
  return { status: response.status, route: response.ok ? (await response.json()).data : undefined };
}

/** What the page loads, so that a change shows at once and a click leads to the field. */
export const scriptOf = (token) => ({
  src: `${SERVICE}/preview.js`,
  'data-project': PROJECT,
  'data-site': SITE,
  'data-token': token,
});
