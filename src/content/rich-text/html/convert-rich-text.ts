import MarkdownIt from 'markdown-it';
import type { Warning } from '../../../../contracts/envelopes.js';
import { limits } from '../../../../contracts/limits.js';
import { problem, type Problem } from '../../model/problem.js';
import { htmlToRichText } from './html-to-rich-text.js';
import { HtmlTally } from './html-tally.js';
import type { ConvertedRichText, RichTextSource } from '../rich-text-source.js';

/** HTML in Markdown passes the same cleaning as other HTML. */
const markdown = new MarkdownIt('default', { html: true, maxNesting: limits.jsonDepth / 2 });

/** Elements that rich text has and drops only where they are empty or implied. */
const implied: ReadonlySet<string> = new Set(['p', 'br', 'code', 'thead', 'tbody', 'tfoot']);

const times = (count: number): string => (count === 1 ? 'once' : `${String(count)} times`);

/** Lists what was dropped, most frequent first. */
function warningsOf({ droppedTags, droppedAttributes, refusedLinks }: HtmlTally): Warning[] {
  const lists = [
    ['element_dropped', (name: string) => `The element ${name} was dropped`, droppedTags],
    ['attribute_dropped', (name: string) => `The attribute ${name} was dropped`, droppedAttributes],
    ['link_dropped', (scheme: string) => `A link with the scheme ${scheme} was dropped`, refusedLinks],
  ] as const;
  return lists.flatMap(([code, describe, counts]) =>
    [...counts]
      .filter(([name]) => !implied.has(name))
      .sort(([, a], [, b]) => b - a)
      .slice(0, limits.conversionWarnings)
      .map(([name, count]) => ({
        code,
        message: `${describe(name.slice(0, limits.apiNameLength))} ${times(count)}.`,
      })),
  );
}

function refusalOf(html: string): readonly Problem[] | undefined {
  const tags = html.split('<').length - 1;
  if (tags <= limits.conversionTags) return undefined;
  return problem('too_complex', `The rich text has more than ${String(limits.conversionTags)} tags.`);
}

/**
 * The document tree of HTML or Markdown. Takes time in proportion to the input, or worse for hostile input, so
 * servers run it in a separate thread.
 */
export function convertRichText(source: RichTextSource): ConvertedRichText {
  const html = 'html' in source ? source.html : markdown.render(source.markdown);
  const problems = refusalOf(html);
  if (problems !== undefined) return { problems };
  const tally = new HtmlTally();
  try {
    return { doc: htmlToRichText(html, tally), warnings: warningsOf(tally) };
  } catch (error) {
    // The parser recurses.
    if (!(error instanceof RangeError)) throw error;
    return { problems: problem('too_deep', 'The rich text is nested too deeply.') };
  }
}
