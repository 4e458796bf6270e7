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
export function fillPlaceholders(
  template: string,
  values: Readonly<Record<string, string>>,
  encode: (value: string, name: string) => string = (value) => value,
): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? whole : encode(value, name);
  });
}

export const fillTemplate = (template: string, place: PreviewPlace): string =>
  fillPlaceholders(template, { ...place }, (value, name) =>
    name === 'path' ? encodePath(value) : encodeURIComponent(value),
  );
