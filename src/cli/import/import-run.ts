import { HtmlTally } from '../../content/rich-text/html/html-tally.js';
import type { PictureReport } from './picture-library.js';
import type { WriteResult } from './page-writer.js';
import { reasonOf } from './reason-of.js';
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
