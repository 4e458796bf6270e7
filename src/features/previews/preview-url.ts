/** Placeholders of a preview URL template. */
export interface PreviewPlace {
  readonly token: string;
  /** Starts with a slash. */
  readonly path: string;
  readonly locale: string;
  readonly slug: string;
  readonly entryId: string;
  readonly contentType: string;
}

/** Keeps slashes and encodes everything else, so that a path stays within its part of the URL. */
const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Unknown placeholders are left unchanged. */
export function fillTemplate(template: string, place: PreviewPlace): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (!Object.hasOwn(place, name)) return whole;
    const value = place[name as keyof PreviewPlace];
    return name === 'path' ? encodePath(value) : encodeURIComponent(value);
  });
}
