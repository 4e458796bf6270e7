import { nodeAttributes } from '../attributes.js';
import { assetOfSource } from '../link-target.js';
import type { ForeignImage, KnownImages } from '../rich-text-source.js';
import { elementsOf, isBlank, type HtmlElement } from './html-dom.js';

const UUID_LENGTH = 36;

/** The id of the asset that an image shows: imported, named, or by a URL of the project's own files. */
export function assetOfImage(source: string | null, { ownMedia, pictures }: KnownImages): string | undefined {
  if (source === null) return undefined;
  const known = pictures.get(source) ?? assetOfSource(source);
  if (known !== undefined) return known;
  const prefix = ownMedia.find((start) => source.startsWith(start));
  if (prefix === undefined) return undefined;
  const id = source.slice(prefix.length, prefix.length + UUID_LENGTH);
  const isId = nodeAttributes.assetEmbed?.assetId?.isGood(id) === true;
  return isId && source[prefix.length + UUID_LENGTH] === '/' ? id : undefined;
}

/** The images below an element that are no assets, each source once. */
export function foreignImages(root: HtmlElement, known: KnownImages): ForeignImage[] {
  const images = elementsOf(root)
    .filter(({ localName }) => localName === 'img')
    .map((image) => ({ src: image.getAttribute('src') ?? '', alt: image.getAttribute('alt') ?? '' }))
    .filter(({ src }) => src !== '' && assetOfImage(src, known) === undefined);
  return [...new Map(images.reverse().map((image) => [image.src, image])).values()].reverse();
}

/** Elements that may hold nothing but a picture. */
const wrapperTags: ReadonlySet<string> = new Set([
  ...['p', 'span', 'div', 'picture', 'a'],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'sup', 'sub', 'code'],
]);

/** The outermost paragraph, mark or division that holds nothing but the image; an embed is a block. */
function wrapperOf(image: HtmlElement): HtmlElement {
  const parent = image.parentElement;
  const isAlone =
    parent !== null &&
    // The root is no part of the page.
    parent.parentElement !== null &&
    wrapperTags.has(parent.localName) &&
    isBlank(parent) &&
    [...parent.children].every((child) => child === image || child.localName === 'source');
  return isAlone ? wrapperOf(parent) : image;
}

/** What an embed replaces: all that holds nothing but the image, or a figure with its caption. */
export function figureOf(image: HtmlElement): { readonly shown: HtmlElement; readonly caption: string } {
  const wrapper = wrapperOf(image);
  const { parentElement: figure } = wrapper;
  const others = figure === null ? [] : [...figure.children].filter((child) => child !== wrapper);
  const [caption] = others;
  const isOwn = figure?.localName === 'figure' && others.every(({ localName }) => localName === 'figcaption');
  if (figure === null || !isOwn || others.length > 1) return { shown: wrapper, caption: '' };
  return { shown: figure, caption: (caption?.textContent ?? '').trim() };
}

/** Alignments that editors write as a class. */
const aligned = /(?:^|[\s-])align-?(left|center|right|full)(?:\s|$)/;

interface Embed {
  readonly assetId: string;
  readonly shown: HtmlElement;
  readonly caption: string;
}

/** The embed that shows a picture, with the texts and the alignment of the image. */
export function embedOf(image: HtmlElement, { assetId, shown, caption }: Embed): HtmlElement {
  const figure = image.ownerDocument.createElement('figure');
  figure.setAttribute('data-asset', assetId);
  const alt = image.getAttribute('alt') ?? '';
  if (alt.trim() !== '') figure.setAttribute('data-alt', alt);
  const [, align] =
    aligned.exec(`${image.getAttribute('class') ?? ''} ${shown.getAttribute('class') ?? ''}`) ?? [];
  if (align !== undefined) figure.setAttribute('data-align', align);
  const text = caption === '' ? (image.getAttribute('title') ?? '') : caption;
  if (text !== '') {
    const shownCaption = image.ownerDocument.createElement('figcaption');
    shownCaption.append(text);
    figure.append(shownCaption);
  }
  return figure;
}
