import { LineProblem, parsePageLine, type PageLine, readLines, type LinePlace } from './read-lines.js';

export interface PageFacts {
  readonly position: number;
  readonly parent: string | null;
  /** Distinct anchors that any locale of the page links to. */
  readonly links: readonly string[];
  /** The line of the default locale, otherwise the first. */
  readonly leadingLine: number;
}

/** A valid line. */
export interface ListedLine extends LinePlace {
  readonly number: number;
  readonly key: string;
  readonly locale: string;
}

/** Alternative texts by locale. */
export type AltTexts = ReadonlyMap<string, string>;

/** Result of the first pass over the file, without titles and bodies. */
export interface Survey {
  readonly pages: ReadonlyMap<string, PageFacts>;
  /** By file. */
  readonly pictures: ReadonlyMap<string, AltTexts>;
  readonly locales: readonly string[];
  readonly defaultLocale: string;
  /** Reasons by line number. */
  readonly problems: ReadonlyMap<number, string>;
  readonly lines: readonly ListedLine[];
  readonly deviatingLines: number;
}

type SurveyedLine = LinePlace & { readonly number: number } & Pick<
    PageLine,
    'key' | 'position' | 'parent' | 'links' | 'locale' | 'images'
  >;

async function surveyLines(file: string): Promise<{ lines: SurveyedLine[]; problems: Map<number, string> }> {
  const lines: SurveyedLine[] = [];
  const problems = new Map<number, string>();
  const seen = new Map<string, number>();
  for await (const { number, text, fault, ...place } of readLines(file)) {
    try {
      if (fault !== undefined) throw new LineProblem('is not UTF-8');
      const { key, position, parent, links, locale, images } = parsePageLine(text);
      const first = seen.get(`${locale} ${key}`);
      if (first !== undefined) throw new LineProblem(`repeats ${key} in ${locale} of line ${String(first)}`);
      seen.set(`${locale} ${key}`, number);
      lines.push({ number, key, position, parent, links, locale, images, ...place });
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      problems.set(number, error.message);
    }
  }
  return { lines, problems };
}

const byKey = (lines: readonly SurveyedLine[]): Map<string, SurveyedLine[]> =>
  Map.groupBy(lines, ({ key }) => key);

function leadingOf(lines: readonly SurveyedLine[], defaultLocale: string): SurveyedLine {
  const [first] = lines;
  if (first === undefined) throw new Error('a page without lines');
  return lines.find(({ locale }) => locale === defaultLocale) ?? first;
}

/** Of two texts of a picture in one locale, the first one is used. */
function picturesOf(lines: readonly SurveyedLine[]): Map<string, Map<string, string>> {
  const pictures = new Map<string, Map<string, string>>();
  for (const { locale, images } of lines)
    for (const { file, alt } of images) {
      const texts = pictures.get(file) ?? new Map<string, string>();
      if (!texts.has(locale)) texts.set(locale, alt);
      pictures.set(file, texts);
    }
  return pictures;
}

/**
 * @throws Error in one line when the file cannot be read
 */
export async function surveyFile(file: string): Promise<Survey> {
  const { lines, problems } = await surveyLines(file);
  const locales = [...new Set(lines.map(({ locale }) => locale))];
  const defaultLocale = locales.includes('en') ? 'en' : (locales[0] ?? '');
  const pages = new Map<string, PageFacts>();
  let deviatingLines = 0;
  for (const [key, versions] of byKey(lines)) {
    const { position, parent, number } = leadingOf(versions, defaultLocale);
    const links = [...new Set(versions.flatMap((version) => version.links))];
    pages.set(key, { position, parent, links, leadingLine: number });
    deviatingLines += versions.filter(
      (version) => version.position !== position || version.parent !== parent,
    ).length;
  }
  const listed = lines.map(({ number, key, locale, start, length }) => ({
    number,
    key,
    locale,
    start,
    length,
  }));
  const pictures = picturesOf(lines);
  return { pages, pictures, locales, defaultLocale, problems, lines: listed, deviatingLines };
}
