import { typeOf, type Model, type ModelText } from './model.js';
import { isServed, type Served } from './served.js';

/** The document tree of a text. */
export const rawOf = ({ words, target }: ModelText): object => ({
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: `${words} ` },
        { type: 'text', text: 'there', marks: [{ type: 'link', attrs: { entryId: target } }] },
      ],
    },
  ],
});

/** Whom a text links, of those that readers see: ids with types. */
export function linksIn(model: Model, { target }: ModelText, served: Served): [string, string][] {
  const entry = model.entries.find(({ id }) => id === target);
  return entry !== undefined && isServed(entry, served) ? [[target, typeOf(model, entry).name]] : [];
}

/** A delivered text. No entry of the model has a page, so that links are words once they are followed. */
export const shownText = (
  model: Model,
  text: ModelText,
  { isFollowed, ...served }: Served & { readonly isFollowed: boolean },
): object => ({
  raw: rawOf(text),
  html: `<p>${text.words} ${isFollowed ? 'there' : `<a data-entry="${text.target}">there</a>`}</p>`,
  text: `${text.words} there`,
  ...(isFollowed && { links: linksIn(model, text, served) }),
});
