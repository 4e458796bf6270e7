import type { ImportReport } from './import-run.js';

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
