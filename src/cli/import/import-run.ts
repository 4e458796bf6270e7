import { HtmlTally } from '../../content/rich-text/html/html-tally.js';
import type { PictureReport } from './picture-library.js';
import type { WriteResult } from './page-writer.js';
import { reasonOf } from './send-items.js';
import type { Survey } from './survey.js';

export interface ImportReport {
  readonly pages: number;
  /** Locale versions by outcome. */
  readonly versions: Readonly<Record<WriteResult['outcome'] | 'published', number>>;
  /** Pages that were elsewhere in the tree, or outside it. */
  readonly moved: number;
  readonly pictures: PictureReport;
  readonly tally: HtmlTally;
  /** Links in page bodies to anchors without a page, and the number of these anchors. */
  readonly linksWithoutPage: { readonly links: number; readonly anchors: number };
  /** Reasons by line number. */
  readonly problems: ReadonlyMap<number, string>;
  readonly created: readonly string[];
  /** Lines whose position or parent differs from the page's leading line, which is used. */
  readonly deviatingLines: number;
}

/** What an import has done so far. */
export class ImportRun {
  readonly problems: Map<number, string>;
  readonly tally = new HtmlTally();
  readonly versions = { created: 0, updated: 0, unchanged: 0, published: 0 };
  moved = 0;
  pictures: PictureReport = { uploaded: 0, known: 0, texts: 0, problems: new Map() };

  constructor(readonly survey: Survey) {
    this.problems = new Map(survey.problems);
  }

  fail(number: number, error: unknown): void {
    this.problems.set(number, reasonOf(error));
  }

  /** Reports the failure of a page on its leading line. */
  failPage(key: string, error: unknown): void {
    const { leadingLine = 0 } = this.survey.pages.get(key) ?? {};
    this.fail(leadingLine, error);
  }

  note({ outcome, tally }: WriteResult): void {
    this.versions[outcome] += 1;
    this.tally.merge(tally);
  }

  report(created: readonly string[]): ImportReport {
    const { pages, deviatingLines } = this.survey;
    const lost = [...this.tally.fragments].filter(([anchor]) => !pages.has(anchor));
    const linksWithoutPage = { links: lost.reduce((sum, [, links]) => sum + links, 0), anchors: lost.length };
    const { versions, tally, problems, moved, pictures } = this;
    const found = { tally, linksWithoutPage, problems, created, deviatingLines };
    return { pages: pages.size, versions, moved, pictures, ...found };
  }
}

/** Further failures are only counted. */
const MAXIMUM_PROBLEMS = 50;

/** `p 6,939, code 3,628`: the most frequent first. */
function counts(map: ReadonlyMap<string, number>): string {
  const sorted = [...map].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.map(([name, number]) => `${name} ${number.toLocaleString('en')}`).join(', ') || 'none';
}

function problemLines({ problems, pictures }: ImportReport): string[] {
  const sorted = [
    ...[...pictures.problems].map(([file, reason]) => `  picture ${file}: ${reason}`),
    ...[...problems]
      .sort(([a], [b]) => a - b)
      .map(([number, reason]) => `  line ${String(number)}: ${reason}`),
  ];
  const shown = sorted.slice(0, MAXIMUM_PROBLEMS);
  const more = sorted.length - shown.length;
  return more > 0 ? [...shown, `  and ${String(more)} more`] : shown;
}

export function summarize(report: ImportReport): string {
  const { pages, versions, tally, linksWithoutPage, problems, created, deviatingLines, moved } = report;
  const { uploaded, known, texts, problems: pictureProblems } = report.pictures;
  const { links, anchors } = linksWithoutPage;
  const written = (['created', 'updated', 'unchanged', 'published'] as const).map(
    (name) => `${String(versions[name])} ${name}`,
  );
  const optional = (condition: boolean, line: string) => (condition ? [line] : []);
  return [
    ...optional(created.length > 0, `Created:             ${created.join(', ')}`),
    `Pages:               ${String(pages)}`,
    `Locale versions:     ${written.join(', ')}`,
    ...optional(moved > 0, `Pages moved:         ${String(moved)}, to their position in the file`),
    ...optional(
      uploaded + known > 0,
      `Pictures:            ${String(uploaded)} uploaded, ${String(known)} known, ${String(texts)} descriptions written`,
    ),
    `Tags converted:      ${counts(tally.convertedTags)}`,
    `Tags omitted:        ${counts(tally.droppedTags)}`,
    `Attributes omitted:  ${counts(tally.droppedAttributes)}`,
    `Unresolved links:    ${String(links)}, to ${String(anchors)} anchors without a page`,
    ...optional(tally.refusedLinks.size > 0, `Unsafe links:        ${counts(tally.refusedLinks)}`),
    ...optional(
      deviatingLines > 0,
      `Deviating lines:     ${String(deviatingLines)} with another position or parent than the default locale, which is used`,
    ),
    `Failures:            ${String(problems.size + pictureProblems.size)}`,
    ...problemLines(report),
    '',
  ].join('\n');
}
