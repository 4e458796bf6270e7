/** Ends of a declaration and of its quoted or bracketed parts. */
const separators = new Set([';', '"', "'", '(', ')']);

/** The declarations of a `style` attribute by property, in lowercase. A later one wins. */
export function declarationsOf(style: string | null): Map<string, string> {
  const declarations = new Map<string, string>();
  if (style === null) return declarations;
  let start = 0;
  let opened = '';
  for (let index = 0; index <= style.length; index++) {
    const character = style[index];
    if (character !== undefined && !separators.has(character)) continue;
    if (character !== undefined && opened !== '') {
      if (character === opened) opened = '';
    } else if (character === '"' || character === "'") opened = character;
    else if (character === '(') opened = ')';
    else if (character === ';' || character === undefined) {
      const [property = '', ...value] = style.slice(start, index).split(':');
      if (value.length > 0)
        declarations.set(
          property.trim().toLowerCase(),
          value
            .join(':')
            .replace(/!\s*important/i, '')
            .trim()
            .toLowerCase(),
        );
      start = index + 1;
    }
  }
  return declarations;
}

interface MarkStyle {
  readonly property: string;
  /** Values that set the mark, and values that end it. */
  readonly on: RegExp;
  readonly off: RegExp;
}

const weight: MarkStyle = {
  property: 'font-weight',
  on: /^(?:bold|bolder|[6-9]\d\d|1000)$/,
  off: /^(?:normal|lighter|[1-5]\d\d)$/,
};
const slant: MarkStyle = { property: 'font-style', on: /^(?:italic|oblique)\b/, off: /^normal$/ };
const decoration = { property: 'text-decoration', off: /^none\b/ };
const position = { property: 'vertical-align', off: /^baseline$/ };

/** Styles that mean the same as a mark. */
export const markStyles: Readonly<Record<string, MarkStyle>> = {
  bold: weight,
  italic: slant,
  underline: { ...decoration, on: /(?:^|\s)underline(?:\s|$)/ },
  strike: { ...decoration, on: /(?:^|\s)line-through(?:\s|$)/ },
  superscript: { ...position, on: /^super$/ },
  subscript: { ...position, on: /^sub$/ },
};

/** Only weight and slant are inherited, so only they can be ended by an element within the mark's. */
export const inheritedMarks: ReadonlySet<string> = new Set(['bold', 'italic']);

/** Whether the style of a mark's element ends that mark: `<b style="font-weight:normal">` is not bold. */
export function endsMark(mark: string, style: string | null): boolean {
  const known = markStyles[mark];
  if (known === undefined || style === null) return false;
  return known.off.test(declarationsOf(style).get(known.property) ?? '');
}
