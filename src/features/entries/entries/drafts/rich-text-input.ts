import { invalidInput, type InputIssue } from '../../../../../contracts/errors.js';
import type { Warning } from '../../../../../contracts/envelopes.js';
import { limits } from '../../../../../contracts/limits.js';
import type { ContentTypeDefinition } from '../../../../content/catalog.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import {
  markupOf,
  richTextSourceOf,
  type ConvertedRichText,
  type ForeignImage,
  type RichTextSource,
} from '../../../../content/rich-text/rich-text-source.js';
import type { FieldValues } from '../../../../content/validate-fields.js';

interface ConversionPlace {
  readonly projectSlug: string;
  /** Ids of assets by the `src` of images. */
  readonly pictures?: ReadonlyMap<string, string> | undefined;
}

/** Converts HTML and Markdown without blocking the process. */
export interface RichTextConverter {
  convert(source: RichTextSource, place: ConversionPlace): Promise<ConvertedRichText>;
  /** Images that are no assets of the project. */
  images(source: RichTextSource, projectSlug: string): Promise<readonly ForeignImage[]>;
  close(): Promise<void>;
}

type Path = InputIssue['path'];

interface Source {
  readonly path: Path;
  readonly source: RichTextSource;
  set(doc: unknown): void;
}

/** Whether some value may be HTML or Markdown; its type decides. */
export const hasRichTextSource = (fields: FieldValues): boolean =>
  Object.values(fields)
    .flat()
    .some((value) => richTextSourceOf(value) !== undefined);

/** Values of an entry, or of a block nested in it at `path`. */
export interface WrittenFields {
  readonly type: ContentTypeDefinition;
  readonly path: Path;
  readonly fields: FieldValues;
}

/** Values to convert, in a copy of the fields that receives the results. */
function sourcesIn({ type, path: at }: WrittenFields, fields: Record<string, unknown>): Source[] {
  return type.fields
    .filter((field) => kindOf(field).takesMarkup && Object.hasOwn(fields, field.apiName))
    .flatMap(({ apiName }): Source[] => {
      const value = fields[apiName];
      if (!Array.isArray(value)) {
        const source = richTextSourceOf(value);
        const set = (doc: unknown): void => void (fields[apiName] = doc);
        return source === undefined ? [] : [{ path: [...at, 'fields', apiName], source, set }];
      }
      const items: unknown[] = [...(value as unknown[])];
      fields[apiName] = items;
      return items.flatMap((item, index): Source[] => {
        const source = richTextSourceOf(item);
        const set = (doc: unknown): void => void (items[index] = doc);
        return source === undefined ? [] : [{ path: [...at, 'fields', apiName, index], source, set }];
      });
    });
}

const lengthOf = ({ source }: Source): number => markupOf(source).length;

function assertSize(sources: readonly Source[]): void {
  const total = sources.reduce((sum, source) => sum + lengthOf(source), 0);
  const [first] = sources;
  if (first === undefined || total <= limits.conversionCharacters) return;
  const message = `HTML and Markdown of one request have at most ${String(limits.conversionCharacters)} characters.`;
  throw invalidInput({ path: first.path, code: 'too_long', message });
}

/**
 * Replaces HTML and Markdown in rich-text fields by document trees. The warnings list what was dropped.
 * @throws AppError 422 `validation_failed` for input that is too long, too deep or too complex
 */
export async function convertRichText<W extends WrittenFields>(
  written: readonly W[],
  { converter, projectSlug }: { readonly converter: RichTextConverter; readonly projectSlug: string },
): Promise<{ written: readonly W[]; warnings: Warning[] }> {
  if (!written.some(({ fields }) => hasRichTextSource(fields))) return { written, warnings: [] };
  const copies = written.map((one) => ({ ...one, fields: { ...one.fields } }));
  const sources = copies.flatMap((copy) => sourcesIn(copy, copy.fields));
  assertSize(sources);
  const warnings: Warning[] = [];
  for (const { path, source, set } of sources) {
    const converted = await converter.convert(source, { projectSlug });
    if ('problems' in converted)
      throw invalidInput(...converted.problems.map((one) => ({ ...one, path: [...path, ...one.path] })));
    set(converted.doc);
    warnings.push(...converted.warnings.map((warning) => ({ ...warning, path: [...path] })));
  }
  return { written: copies, warnings };
}
