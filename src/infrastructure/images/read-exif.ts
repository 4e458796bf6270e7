/** Shown to editors. Places are not among them. */
const fields = [
  'Make',
  'Model',
  'LensModel',
  'Software',
  'Artist',
  'Copyright',
  'ImageDescription',
  'DateTimeOriginal',
  'ExposureTime',
  'FNumber',
  'ISO',
  'FocalLength',
] as const;

const LONGEST_VALUE = 500;

const nameOf = (field: string): string =>
  field === 'ISO' ? 'iso' : field.charAt(0).toLowerCase() + field.slice(1);

function valueOf(value: unknown): string | number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? undefined : value.toISOString().slice(0, 19);
  if (typeof value !== 'string') return undefined;
  const text = value
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
    .toWellFormed()
    .trim();
  return text === '' ? undefined : text.slice(0, LONGEST_VALUE).toWellFormed();
}

/** EXIF without places; empty if it cannot be read. @param exif a TIFF structure */
export async function readExif(exif: Buffer | undefined): Promise<Record<string, string | number>> {
  if (exif === undefined) return {};
  const { parse } = (await import('exifr')).default;
  const found: unknown = await parse(exif, { pick: [...fields], gps: false, reviveValues: false }).catch(
    () => undefined,
  );
  const read = (found ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = valueOf(read[field]);
      return value === undefined ? [] : [[nameOf(field), value]];
    }),
  );
}
