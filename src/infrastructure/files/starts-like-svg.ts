/** Each is at the start, and ends at the first possible place: no backtracking. */
const preambles = [/^\s+/, /^<\?xml[^>]{0,200}\?>/, /^<!--(?:[^-]|-(?!->))*-->/, /^<!DOCTYPE\s+svg[^>[]*>/i];

/** Nothing but an XML declaration, comments and a plain document type comes before the drawing. */
export function startsLikeSvg(text: string): boolean {
  let rest = text.replace(/^\uFEFF/, '');
  for (;;) {
    const found = preambles.map((form) => form.exec(rest)?.[0]).find((match) => match !== undefined);
    if (found === undefined) return /^<svg[\s>/]/.test(rest);
    rest = rest.slice(found.length);
  }
}
