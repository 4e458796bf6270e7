import type { Node } from 'prosemirror-model';
import type { NodeViewConstructor } from 'prosemirror-view';
import { spellingsOf } from '../../content/rich-text/vocabulary.js';
import { api, queryClient } from '../api/client.js';
import { typeOf, type Asset, type Project } from '../api/project-data.js';
import { titleOf } from '../entries/entry-title.js';
import { renditionUrl } from '../media/media-url.js';
import { t } from '../texts/index.js';
import { pendingName } from './pending-pictures.js';

const PICTURE_PIXELS = 320;

interface ProjectLocale {
  readonly project: Project;
  readonly locale: string;
}

async function entryTitle({ project, locale }: ProjectLocale, id: string): Promise<string> {
  const { data } = await queryClient.fetchQuery(
    api.entries.get.queryOptions({ projectSlug: project.slug, id, locale }, { retry: false }),
  );
  const type = typeOf(project, data.contentTypeApiName);
  return titleOf(data, type);
}

async function assetOf({ project }: ProjectLocale, id: string): Promise<Asset> {
  const { data } = await queryClient.fetchQuery(
    api.media.get.queryOptions({ projectSlug: project.slug, id }, { retry: false }),
  );
  return data;
}

/** Puts what is read into an element, or that there is nothing. The element may be out of the document by then. */
function fill(place: HTMLElement, reading: Promise<string | HTMLElement>): void {
  place.textContent = t('app.loading');
  void reading.then(
    (content) => place.replaceChildren(content),
    () => place.replaceChildren(t('field.missing')),
  );
}

function pictureOf(asset: Asset, alt: unknown): string | HTMLElement {
  const isShown =
    asset.mimeType.startsWith('image/') && asset.width !== null && asset.visibility === 'public';
  if (!isShown) return asset.fileName;
  const image = document.createElement('img');
  image.src = renditionUrl(asset.url, PICTURE_PIXELS);
  image.alt = typeof alt === 'string' ? alt : (asset.altText ?? asset.fileName);
  return image;
}

/** What those hear who do not see the picture, or that they hear nothing. */
function altLine(alt: unknown): HTMLElement {
  const line = document.createElement('p');
  const isThere = typeof alt === 'string' && alt !== '';
  line.className = isThere ? 'alt' : 'alt missing';
  line.textContent = isThere ? t('rich.altOf', { alt }) : t('pick.noAlt');
  return line;
}

/** The node of a reference; `update` keeps it until it names something else. */
const viewOf = (node: Node, dom: HTMLElement) => ({
  dom,
  ignoreMutation: () => true,
  update: (other: Node) => other.sameMarkup(node),
});

const mention =
  (place: () => ProjectLocale): NodeViewConstructor =>
  (node) => {
    const dom = document.createElement('span');
    dom.className = 'mention';
    fill(dom, entryTitle(place(), String(node.attrs.entryId)));
    return viewOf(node, dom);
  };

const entry =
  (place: () => ProjectLocale): NodeViewConstructor =>
  (node) => {
    const dom = document.createElement('figure');
    dom.className = 'entry-embed';
    fill(dom, entryTitle(place(), String(node.attrs.entryId)));
    return viewOf(node, dom);
  };

const asset =
  (place: () => ProjectLocale): NodeViewConstructor =>
  (node) => {
    const { assetId, alt, align, caption } = node.attrs as Readonly<Record<string, unknown>>;
    const dom = document.createElement('figure');
    if (typeof align === 'string') dom.dataset.align = align;
    const picture = dom.appendChild(document.createElement('span'));
    const pending = pendingName(String(assetId));
    if (pending !== undefined) {
      picture.textContent = t('rich.uploading', { name: pending });
      return viewOf(node, dom);
    }
    fill(
      picture,
      assetOf(place(), String(assetId)).then((found) => {
        if (found.mimeType.startsWith('image/')) dom.append(altLine(alt ?? found.altText));
        return pictureOf(found, alt);
      }),
    );
    if (typeof caption === 'string' && caption !== '')
      dom.appendChild(document.createElement('figcaption')).textContent = caption;
    return viewOf(node, dom);
  };

/** Views of what names entries and assets, in both spellings. */
export function referenceViews(place: () => ProjectLocale): Record<string, NodeViewConstructor> {
  const views = { entryMention: mention(place), entryEmbed: entry(place), assetEmbed: asset(place) };
  return Object.fromEntries(
    Object.entries(views).flatMap(([name, view]) => spellingsOf(name).map((spelling) => [spelling, view])),
  );
}
