const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

const unescaped = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? '');

/** What a highlight of the search says, without its marks. */
export const plainText = (html: string): string => unescaped(html.replace(/<\/?em>/g, ''));

/** A highlight of the search, in which `<em>` is the only markup. */
export function MarkedText({ html }: { readonly html: string }) {
  return html
    .split(/<em>(.*?)<\/em>/s)
    .map((part, index) => (index % 2 === 1 ? <mark key={index}>{unescaped(part)}</mark> : unescaped(part)));
}
