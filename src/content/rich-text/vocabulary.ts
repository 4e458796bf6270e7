/**
 * The other spelling of a node or mark name, as ProseMirror's basic schema writes it, and the name
 * that this service's own code uses for it. Documents keep the spelling they were written with.
 */
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
  strong: 'bold',
  em: 'italic',
};

/** The name under which a node or mark is handled; a name without a second spelling is its own. */
export function baseName(name: string): string {
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

/** Every spelling of a name, the service's own first. */
export function spellingsOf(name: string): string[] {
  return [name, ...Object.keys(aliases).filter((alias) => aliases[alias] === name)];
}

/** Node names that make no sense outside their parent, by themselves or beside it. */
export const partNames: ReadonlySet<string> = new Set([
  'listItem',
  'tableRow',
  'tableHeader',
  'tableCell',
  'definitionTerm',
  'definitionDescription',
]);
