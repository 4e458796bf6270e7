import type { Node } from 'prosemirror-model';
import { Plugin, type EditorState, type Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { v7 as uuid } from 'uuid';
import { baseName } from '../../content/rich-text/vocabulary.js';
import { clientIn } from '../api/client.js';
import type { Project } from '../api/project-data.js';
import { refreshMedia } from '../media/media-queries.js';
import { announced, sendBytes, untilAnswered, type Sending } from '../media/uploads/send-file.js';
import { notifyFailure } from '../ui/toasts.js';

/** A picture on its way into the library: a file, or the URL of one. */
export type PictureSource = File | string;

type ProjectEnvironment = Pick<Project, 'slug' | 'environment'>;

/** By the id that its embed has until then. `assetId` is null if the service refused it. */
const pictures = new Map<string, { readonly name: string; readonly assetId?: string | null }>();

/** What is shown of a picture that is on its way. */
export const pendingName = (assetId: string): string | undefined => pictures.get(assetId)?.name;

async function upload(file: File, { slug: projectSlug, environment }: ProjectEnvironment): Promise<string> {
  const sending: Sending = {
    environment,
    projectSlug,
    file,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onWaiting: () => undefined,
  };
  const { mediaUploads } = clientIn(environment);
  const create = () => mediaUploads.create.mutate({ projectSlug, ...announced(file) });
  const { data: started } = await untilAnswered(create, sending);
  await sendBytes(started, sending);
  const complete = () => mediaUploads.complete.mutate({ projectSlug, id: started.id });
  return (await untilAnswered(complete, sending)).data.id;
}

async function fetched(url: string, { slug: projectSlug, environment }: ProjectEnvironment): Promise<string> {
  const { data } = await clientIn(environment).media.importUrl.mutate({ projectSlug, url });
  return data.id;
}

/** Starts to bring a picture into the library. @returns the id of its embed until it is there */
export function bringPicture(source: PictureSource, place: ProjectEnvironment): string {
  const id = uuid();
  const name = typeof source === 'string' ? source : source.name;
  pictures.set(id, { name });
  const settle = (assetId: string | null): void => {
    pictures.set(id, { name, assetId });
    for (const view of views) view.dispatch(view.state.tr);
  };
  void (typeof source === 'string' ? fetched(source, place) : upload(source, place)).then(
    (assetId) => {
      settle(assetId);
      void refreshMedia();
    },
    (error: unknown) => {
      settle(null);
      notifyFailure(error);
    },
  );
  return id;
}

const views = new Set<EditorView>();

const pictureOf = ({ type, attrs }: Node) =>
  baseName(type.name) === 'assetEmbed' ? pictures.get(String(attrs.assetId)) : undefined;

/** Names the asset in each embed whose picture has arrived, and removes what was refused. */
function settled({ doc, tr }: EditorState): Transaction | null {
  doc.descendants((node, position) => {
    const { assetId } = pictureOf(node) ?? {};
    const at = tr.mapping.map(position);
    if (assetId === null) tr.delete(at, at + node.nodeSize);
    else if (assetId !== undefined) tr.setNodeMarkup(at, null, { ...node.attrs, assetId });
  });
  return tr.docChanged ? tr.setMeta('addToHistory', false) : null;
}

/** Undoing and redoing bring embeds back that were settled before, so each change is looked at. */
export const pendingPictures = (): Plugin =>
  new Plugin({
    view: (view) => {
      views.add(view);
      return { destroy: () => views.delete(view) };
    },
    appendTransaction: (_transactions, _before, state) => (pictures.size === 0 ? null : settled(state)),
  });

interface JsonNode {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly content?: readonly JsonNode[];
}

/** A document without pictures that are on their way: an empty paragraph keeps the place of each. */
export function withoutPending(node: JsonNode): JsonNode {
  if (pictures.size === 0) return node;
  if (baseName(node.type) === 'assetEmbed' && pictures.has(String(node.attrs?.assetId)))
    return { type: 'paragraph' };
  return node.content === undefined ? node : { ...node, content: node.content.map(withoutPending) };
}
