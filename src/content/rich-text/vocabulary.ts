/** ProseMirror's spelling → canonical name. Documents keep the spelling they were written with. */
const aliases: Readonly<Record<string, string>> = {
  bullet_list: 'bulletList',
  ordered_list: 'orderedList',
  list_item: 'listItem',
  code_block: 'codeBlock',
  horizontal_rule: 'horizontalRule',
  hard_break: 'hardBreak',
  definition_list: 'definitionList',
  definition_term: 'definitionTerm',
  definition_description: 'definitionDescription',
  table_row: 'tableRow',
  table_header: 'tableHeader',
  table_cell: 'tableCell',
  asset_embed: 'assetEmbed',
  entry_embed: 'entryEmbed',
  entry_mention: 'entryMention',
  strong: 'bold',
  em: 'italic',
};

/** The canonical name. */
export function baseName(name: string): string {
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

/** The canonical name first. */
export function spellingsOf(name: string): string[] {
  return [name, ...Object.keys(aliases).filter((alias) => aliases[alias] === name)];
}

/** Nodes that need a specific parent. */
export const partNames: ReadonlySet<string> = new Set([
  'listItem',
  'tableRow',
  'tableHeader',
  'tableCell',
  'definitionTerm',
  'definitionDescription',
]);

/** Elements of nodes without attributes. */
export const simpleTags: Readonly<Record<string, string>> = {
  paragraph: 'p',
  blockquote: 'blockquote',
  bulletList: 'ul',
  listItem: 'li',
  definitionList: 'dl',
  definitionTerm: 'dt',
  definitionDescription: 'dd',
  tableRow: 'tr',
};

/** Elements of marks, outermost first. */
export const markTags: Readonly<Record<string, string>> = {
  link: 'a',
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strike: 's',
  superscript: 'sup',
  subscript: 'sub',
  code: 'code',
};

/** Outermost first: the nesting order in HTML. */
export const markOrder: readonly string[] = Object.keys(markTags);
