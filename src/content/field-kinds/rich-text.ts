import { limits } from '../../../contracts/limits.js';
import type { RichTextNode, RichTextValue } from '../../../contracts/rich-text.js';
import type { FieldDefinition } from '../model/field-definition.js';
import { checkDocument, richTextSchema } from '../rich-text/document-tree.js';
import { toHtml, toText } from '../rich-text/to-html.js';
import { baseName, partNames } from '../rich-text/vocabulary.js';
import { defineKind, validationsOf } from './define-kind.js';
import { problem, type Problem } from '../model/problem.js';
import { isOfType } from './media.js';
import type { Use } from './rules.js';
import { lengthOf } from './string-kind.js';

/** An entry or asset that a document tree names. */
export interface RichTextReference {
  readonly to: 'entry' | 'asset';
  readonly id: string;
  /** A mention counts as a link; embeds are content of their own. */
  readonly as: 'link' | 'mention' | 'embed';
}

function referencesOfNode({ type, attrs = {}, marks = [] }: RichTextNode): RichTextReference[] {
  const found: RichTextReference[] = [];
  const add = (to: RichTextReference['to'], id: unknown, as: RichTextReference['as']): void => {
    if (typeof id === 'string') found.push({ to, id, as });
  };
  const name = baseName(type);
  if (name === 'assetEmbed') add('asset', attrs.assetId, 'embed');
  if (name === 'entryEmbed') add('entry', attrs.entryId, 'embed');
  if (name === 'entryMention') add('entry', attrs.entryId, 'mention');
  for (const mark of marks) {
    if (baseName(mark.type) !== 'link') continue;
    add('entry', mark.attrs?.entryId, 'link');
    add('asset', mark.attrs?.assetId, 'link');
  }
  return found;
}

/** In the order of the tree, with repetitions. */
export function referencesOf(node: RichTextNode): RichTextReference[] {
  return [...referencesOfNode(node), ...(node.content ?? []).flatMap(referencesOf)];
}

function mapId<T extends { attrs?: Record<string, unknown> | undefined }>(
  part: T,
  map: (id: string) => string,
): T {
  const id = part.attrs?.entryId;
  return typeof id === 'string' ? { ...part, attrs: { ...part.attrs, entryId: map(id) } } : part;
}

/** The tree with other ids of entries. */
function withEntries(node: RichTextNode, map: (id: string) => string): RichTextNode {
  return {
    ...mapId(node, map),
    ...(node.marks && { marks: node.marks.map((mark) => mapId(mark, map)) }),
    ...(node.content && { content: node.content.map((child) => withEntries(child, map)) }),
  };
}

/** Nodes that cannot be disallowed. */
const alwaysAllowed: ReadonlySet<string> = new Set(['doc', 'paragraph', 'text', ...partNames]);

function checkRichTextShape(value: unknown): Problem[] {
  const problems = checkDocument(value);
  if (problems.length > 0) return problems;
  const isTooLong = Buffer.byteLength(JSON.stringify(value)) > limits.richTextBytes;
  return isTooLong
    ? problem('too_long', `The document has more than ${limits.richTextBytes} bytes of JSON.`)
    : [];
}

function checkRichTextRules(value: unknown, field: FieldDefinition): Problem[] {
  const doc = value as RichTextNode;
  const { allowedNodes, allowedMarks, maxLength } = validationsOf<'richText'>(field);
  const nodes = allowedNodes && new Set([...alwaysAllowed, ...allowedNodes.map(baseName)]);
  const marks = allowedMarks && new Set(allowedMarks.map(baseName));
  const problems = nodes || marks ? findForbidden(doc, { nodes, marks }, []) : [];
  if (maxLength !== undefined && lengthOf(toText(doc)) > maxLength) {
    problems.push(...problem('too_long', `The rich text has more than ${maxLength} characters.`));
  }
  return problems;
}

interface Allowed {
  readonly nodes: ReadonlySet<string> | undefined;
  readonly marks: ReadonlySet<string> | undefined;
}

function findForbidden(node: RichTextNode, allowed: Allowed, path: (string | number)[]): Problem[] {
  if (allowed.nodes && !allowed.nodes.has(baseName(node.type))) {
    return [{ path, code: 'node_not_allowed', message: `The field does not allow ${node.type} nodes.` }];
  }
  const marks = (node.marks ?? []).flatMap(({ type }, index): Problem[] =>
    !allowed.marks || allowed.marks.has(baseName(type))
      ? []
      : [
          {
            path: [...path, 'marks', index],
            code: 'mark_not_allowed',
            message: `The field does not allow ${type} marks.`,
          },
        ],
  );
  return [
    ...marks,
    ...(node.content ?? []).flatMap((child, index) =>
      findForbidden(child, allowed, [...path, 'content', index]),
    ),
  ];
}

function checkNames(field: FieldDefinition): Problem[] {
  const { allowedNodes = [], allowedMarks = [] } = validationsOf<'richText'>(field);
  return [
    ...unknownNames(allowedNodes, richTextSchema.nodes).map((index) => ({
      path: ['validations', 'allowedNodes', index],
      code: 'unknown_node',
      message: 'Unknown node type.',
    })),
    ...unknownNames(allowedMarks, richTextSchema.marks).map((index) => ({
      path: ['validations', 'allowedMarks', index],
      code: 'unknown_mark',
      message: 'Unknown mark type.',
    })),
  ];
}

function unknownNames(names: readonly string[], known: object): number[] {
  return names.flatMap((name, index) => (Object.hasOwn(known, name) ? [] : [index]));
}

/** Entries or assets that a document names. */
const usesOf = (value: unknown, to: RichTextReference['to']): Use[] =>
  referencesOf(value as RichTextNode)
    .filter((reference) => reference.to === to)
    .map(({ id, as }) => ({ id, as: as === 'embed' ? 'embed' : 'link' }));

/** Whether a document shows something besides its text. */
const showsSomething = (doc: RichTextNode): boolean => referencesOf(doc).some(({ as }) => as !== 'link');

/** Names of content types and media types that may be embedded or linked; undefined if all may. */
function allowedIn(field: FieldDefinition, as: Use['as']): readonly string[] | undefined {
  const { allowedEmbeds, allowedLinks } = validationsOf<'richText'>(field);
  return as === 'embed' ? allowedEmbeds : allowedLinks;
}

const notAllowed = (as: Use['as'], what: string): Problem[] =>
  as === 'embed'
    ? problem('embed_not_allowed', `The field does not allow embedded ${what}.`)
    : problem('link_not_allowed', `The field does not allow links to ${what}.`);

/** Stored as written; delivered as tree, HTML and plain text (rule content/rich-text). */
export const richText = defineKind({
  checkShape: checkRichTextShape,
  checkRules: checkRichTextRules,
  checkOptions: checkNames,
  isEmpty: (value) => toText(value as RichTextNode).trim() === '' && !showsSomething(value as RichTextNode),
  takesMarkup: true,
  isTranslatable: true,
  graphqlType: 'RichText',
  storedKey: 'raw',
  mediaUses: (value) => usesOf(value, 'asset'),
  checkMedia: ({ mimeType }, field, as) => {
    const allowed = allowedIn(field, as);
    return allowed === undefined || isOfType(mimeType, allowed)
      ? []
      : notAllowed(as, `assets of type ${mimeType}`);
  },
  entryUses: (value) => usesOf(value, 'entry'),
  mapEntryUses: (value, map) => withEntries(value as RichTextNode, map),
  checkEntry: ({ contentTypeApiName }, field, as) =>
    (allowedIn(field, as)?.includes(contentTypeApiName) ?? true)
      ? []
      : notAllowed(as, `entries of type ${contentTypeApiName}`),
  deliver: (value): RichTextValue => {
    const raw = value as RichTextNode;
    return { raw, html: toHtml(raw), text: toText(raw) };
  },
});
