import type { ReportInput, reportKinds, ReportName } from './report-kinds.js';

const LARGEST_PAGE = 100;
/** 10,000 rows; a longer report is narrowed by its filters. */
const PAGES = 100;

/** Lines after the first one, which is the head of every page. */
const withoutHead = (csv: string): string => csv.slice(csv.indexOf('\n') + 1);

/** The rows of every page as one file, and whether some are left out. */
export async function csvOf(kind: (typeof reportKinds)[ReportName], { state, range }: ReportInput) {
  const parts: string[] = [];
  let pages = 1;
  let fileName = '';
  for (let page = 1; page <= Math.min(pages, PAGES); page += 1) {
    const { data, meta } = await kind.read({
      range,
      state: { ...state, page, limit: LARGEST_PAGE, format: 'csv' },
    });
    const csv = data.csv ?? '';
    parts.push(page === 1 ? csv : withoutHead(csv));
    fileName = data.fileName ?? '';
    pages = meta.pages;
  }
  return { csv: parts.join(''), fileName, isCut: pages > PAGES };
}
