import { AppError } from '../../../../../contracts/errors.js';
import type { Warning } from '../../../../../contracts/envelopes.js';
import { limits } from '../../../../../contracts/limits.js';
import {
  markupOf,
  richTextSourceOf,
  type ForeignImage,
  type RichTextSource,
} from '../../../../content/rich-text/rich-text-source.js';
import { withTimeLimit } from '../../../../infrastructure/time-limit.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import type { RunPart } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { importImage, type ImportServices } from '../../../media/media/index.js';
import type { RichTextConverter } from './rich-text-input.js';

interface ImagesServices {
  readonly markup: RichTextConverter;
  readonly media: ImportServices;
}

/** The project and locale that images are imported into. */
interface ImportTarget {
  readonly projectSlug: string;
  readonly locale?: string | undefined;
}

/** Images at once, and the time of all of one request. */
const AT_ONCE = 4;
const MILLISECONDS = 30_000;
/** Of a source in a warning. */
const SHOWN_CHARACTERS = 100;

/** An object or a list. */
const isNested = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * Texts whose images are to be imported, in `fields` at any depth: of entries, items of a batch and nested blocks.
 * @param textNames fields of this kind in any type; others are not converted
 */
function sourcesIn(value: unknown, textNames: ReadonlySet<string>): RichTextSource[] {
  if (!isNested(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    if (key !== 'fields' || !isNested(part)) return sourcesIn(part, textNames);
    return Object.entries(part).flatMap(([name, field]) => {
      if (!textNames.has(name)) return sourcesIn(field, textNames);
      const items: readonly unknown[] = Array.isArray(field) ? field : [field];
      return items.flatMap((item) => richTextSourceOf(item) ?? []);
    });
  });
}

/** Cheaper than reading the content types, which only requests with such images need. */
function mayImport(value: unknown): boolean {
  if (!isNested(value)) return false;
  return value.importImages === true || Object.values(value).some(mayImport);
}

async function textNames(inPart: RunPart): Promise<ReadonlySet<string>> {
  const { data } = await inPart((work) => work.use(CatalogRepository).current());
  const texts = data.contentTypes.flatMap(({ fields }) =>
    fields.filter((field) => kindOf(field).takesMarkup),
  );
  return new Set(texts.map(({ apiName }) => apiName));
}

/** Why an image was not imported. Without the right to create assets the request fails. */
function reasonOf(error: unknown): string {
  if (!(error instanceof AppError) || error.status === 403) throw error;
  const { reason } = (error.details ?? {}) as { readonly reason?: unknown };
  return typeof reason === 'string' ? `${error.code}, ${reason}` : error.code;
}

const late = (): Error => new AppError('import_failed', { reason: 'timeout' });

/** What became of each image, by its source. */
class ImportedImages {
  readonly ids = new Map<string, string>();
  readonly #reasons = new Map<string, string>();

  constructor(
    private readonly inPart: RunPart,
    private readonly media: ImportServices,
    private readonly locale: string | undefined,
  ) {}

  async import(images: readonly ForeignImage[]): Promise<void> {
    const wanted = images.slice(0, limits.importedImages);
    for (const { src } of images.slice(limits.importedImages)) this.#reasons.set(src, 'limit_reached');
    const end = performance.now() + MILLISECONDS;
    for (let start = 0; start < wanted.length; start += AT_ONCE)
      await Promise.all(wanted.slice(start, start + AT_ONCE).map((image) => this.#importOne(image, end)));
  }

  warnings(images: readonly ForeignImage[]): Warning[] {
    return images.flatMap(({ src }) => {
      const reason = this.#reasons.get(src);
      if (reason === undefined) return [];
      const message = `The image ${src.slice(0, SHOWN_CHARACTERS)} was not imported: ${reason}.`;
      return [{ code: 'image_not_imported', message }];
    });
  }

  async #importOne({ src, alt }: ForeignImage, end: number): Promise<void> {
    try {
      const left = end - performance.now();
      if (left <= 0) throw late();
      const made = importImage(this.inPart, { src, alt, locale: this.locale }, this.media);
      this.ids.set(src, await withTimeLimit(left, made, late));
    } catch (error) {
      this.#reasons.set(src, reasonOf(error));
    }
  }
}

/**
 * Imports the images of texts with `importImages`, before the unit of work that writes the entry: a unit must not wait
 * for other servers. The converter that is returned embeds them and warns of the others.
 * @param inPart undefined for a dry run, which imports nothing
 * @throws AppError 403 `permission_denied` without the right to create assets
 */
export async function importImages(
  inPart: RunPart | undefined,
  input: ImportTarget,
  { markup, media }: ImagesServices,
): Promise<RichTextConverter> {
  if (inPart === undefined || !mayImport(input)) return markup;
  const given = sourcesIn(input, await textNames(inPart));
  const sources = given.filter((source) => source.importImages === true);
  const length = sources.reduce((sum, source) => sum + markupOf(source).length, 0);
  // What is too long is refused when it is converted.
  if (sources.length === 0 || length > limits.conversionCharacters) return markup;
  const { projectSlug, locale } = input;
  const found = new Map<string, readonly ForeignImage[]>();
  for (const source of sources) found.set(markupOf(source), await markup.images(source, projectSlug));
  const imported = new ImportedImages(inPart, media, locale);
  const images = [...found.values()].flat();
  await imported.import([...new Map(images.map((image) => [image.src, image])).values()]);
  return {
    images: (source, slug) => markup.images(source, slug),
    close: () => markup.close(),
    convert: async (source, place) => {
      if (source.importImages !== true) return markup.convert(source, place);
      const converted = await markup.convert(source, { ...place, pictures: imported.ids });
      if ('problems' in converted) return converted;
      const warnings = imported.warnings(found.get(markupOf(source)) ?? []);
      return { ...converted, warnings: [...converted.warnings, ...warnings] };
    },
  };
}
