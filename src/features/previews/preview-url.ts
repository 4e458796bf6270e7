/** Values that the template of a preview address may name. */
export interface PreviewPlace {
  readonly token: string;
  /** Begins with a slash. */
  readonly path: string;
  readonly locale: string;
  readonly slug: string;
  readonly entryId: string;
  readonly contentType: string;
}

/** A path keeps its slashes; everything else in it is encoded, so that it cannot leave its place in the address. */
const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Fills a site's `previewUrlTemplate`; names that it does not know stay as they are. */
export function fillTemplate(template: string, place: PreviewPlace): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (!Object.hasOwn(place, name)) return whole;
    const value = place[name as keyof PreviewPlace];
    return name === 'path' ? encodePath(value) : encodeURIComponent(value);
  });
}
