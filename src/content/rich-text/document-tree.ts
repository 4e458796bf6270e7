import { isObject } from '../exact-json/is-object.js';
import { Node } from 'prosemirror-model';
import { limits } from '../../../contracts/limits.js';
import type { Problem } from '../model/problem.js';
import { linkTargets, markAttributes, nodeAttributes, type AttributeRules } from './attributes.js';
import { richTextSchema } from './schema.js';
import { baseName } from './vocabulary.js';

export { richTextSchema } from './schema.js';

type Path = (string | number)[];

const problemsMaximum = 20;

const nodeKeys = ['type', 'attrs', 'content', 'marks', 'text'];
const markKeys = ['type', 'attrs'];

/** Checks each node alone; the schema checks nesting. */
class TreeCheck {
  readonly problems: Problem[] = [];

  visitNode(value: unknown, path: Path): void {
    if (this.problems.length >= problemsMaximum) return;
    if (path.length > limits.jsonDepth)
      return this.#refuse(path, 'too_deep', `Nodes may be nested ${limits.jsonDepth / 2} deep.`);
    if (!isObject(value)) return this.#refuse(path, 'invalid_type', 'A node is an object with a type.');
    this.#checkKeys(value, nodeKeys, path);
    const type = value.type;
    if (typeof type !== 'string' || !Object.hasOwn(richTextSchema.nodes, type)) {
      return this.#refuse([...path, 'type'], 'unknown_node', 'Unknown node type.');
    }
    this.#checkText(type, value.text, path);
    this.#checkAttributes(nodeAttributes[baseName(type)] ?? {}, value.attrs, path);
    this.#visitList(value.marks, [...path, 'marks'], (mark, markPath) => this.#visitMark(mark, markPath));
    this.#checkRepeatedMarks(value.marks, path);
    this.#visitList(value.content, [...path, 'content'], (node, nodePath) => this.visitNode(node, nodePath));
  }

  #visitMark(value: unknown, path: Path): void {
    if (!isObject(value)) return this.#refuse(path, 'invalid_type', 'A mark is an object with a type.');
    this.#checkKeys(value, markKeys, path);
    const type = value.type;
    if (typeof type !== 'string' || !Object.hasOwn(richTextSchema.marks, type)) {
      return this.#refuse([...path, 'type'], 'unknown_mark', 'There is no mark of this type.');
    }
    this.#checkAttributes(markAttributes[baseName(type)] ?? {}, value.attrs, path);
    if (baseName(type) === 'link' && (value.attrs === undefined || isObject(value.attrs)))
      this.#checkTarget(value.attrs ?? {}, [...path, 'attrs']);
  }

  /** A fragment of a URL is part of it. */
  #checkTarget(attrs: Record<string, unknown>, path: Path): void {
    const isSet = (name: string) => attrs[name] !== undefined && attrs[name] !== null;
    const [first, second] = linkTargets.filter(isSet);
    if (first === undefined || second !== undefined)
      this.#refuse(
        [...path, second ?? linkTargets[0]],
        'invalid_attribute',
        'A link has an href, an entryId or an assetId.',
      );
    else if (first === 'href' && isSet('anchor'))
      this.#refuse(
        [...path, 'anchor'],
        'invalid_attribute',
        'Only a link to an entry or asset has an anchor. Put it into the href.',
      );
  }

  #visitList(value: unknown, path: Path, visit: (item: unknown, path: Path) => void): void {
    if (value === undefined) return;
    if (Array.isArray(value)) value.forEach((item, index) => visit(item, [...path, index]));
    else this.#refuse(path, 'invalid_type', 'This must be an array.');
  }

  #checkKeys(value: Record<string, unknown>, known: string[], path: Path): void {
    for (const key of Object.keys(value)) {
      if (!known.includes(key))
        this.#refuse([...path, key], 'unknown_key', `Only ${known.join(', ')} are known here.`);
    }
  }

  #checkText(type: string, text: unknown, path: Path): void {
    if (type !== 'text') {
      if (text !== undefined)
        this.#refuse([...path, 'text'], 'unknown_key', 'Only nodes of type text can have text.');
    } else if (typeof text !== 'string' || text === '')
      this.#refuse([...path, 'text'], 'invalid_type', 'A text node must have a non-empty string.');
  }

  #checkAttributes(rules: AttributeRules, attrs: unknown, path: Path): void {
    if (attrs !== undefined && !isObject(attrs))
      return this.#refuse([...path, 'attrs'], 'invalid_type', 'Attributes are an object.');
    const given = attrs ?? {};
    for (const [name, value] of Object.entries(given)) {
      // Other editors write null for each attribute of theirs that is not set.
      if (!Object.hasOwn(rules, name) && value !== null)
        this.#refuse([...path, 'attrs', name], 'unknown_attribute', 'There is no such attribute here.');
    }
    for (const [name, rule] of Object.entries(rules)) {
      const isMissing = given[name] === undefined && 'default' in rule;
      if (!isMissing && !rule.isGood(given[name]))
        this.#refuse([...path, 'attrs', name], 'invalid_attribute', `The attribute must be ${rule.hint}.`);
    }
  }

  #checkRepeatedMarks(marks: unknown, path: Path): void {
    if (!Array.isArray(marks)) return;
    const seen = new Set<unknown>();
    for (const [index, mark] of marks.entries()) {
      const type: unknown = isObject(mark) ? mark.type : undefined;
      if (seen.has(type))
        this.#refuse([...path, 'marks', index], 'repeated_mark', 'A mark can be set once only.');
      seen.add(type);
    }
  }

  #refuse(path: Path, code: string, message: string): void {
    if (this.problems.length < problemsMaximum) this.problems.push({ path, code, message });
  }
}

/**
 * At most 20 problems. Nesting is checked once every node alone is valid. Documents are stored as written, not
 * normalized.
 */
export function checkDocument(value: unknown): Problem[] {
  if (!isObject(value) || value.type !== 'doc') {
    return [
      {
        path: [],
        code: 'invalid_document',
        message:
          'A rich text is a document tree whose root has type "doc". Send text as {"markdown": "…"} or {"html": "…"}.',
      },
    ];
  }
  const check = new TreeCheck();
  check.visitNode(value, []);
  return check.problems.length > 0 ? check.problems : checkStructure(value);
}

function checkStructure(value: Record<string, unknown>): Problem[] {
  try {
    const doc = Node.fromJSON(richTextSchema, value);
    const misfit = findMisfit(doc, []);
    if (misfit) return [misfit];
    doc.check();
    return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ path: [], code: 'invalid_structure', message: 'The document tree is malformed.' }];
  }
}

/** The first node with invalid children. */
function findMisfit(node: Node, path: Path): Problem | null {
  if (!node.type.validContent(node.content)) {
    const must = node.type.spec.content
      ? `A ${node.type.name} holds ${describe(node)}`
      : `A ${node.type.name} holds nothing`;
    return { path, code: 'invalid_structure', message: `${must}: these children or their marks do not fit.` };
  }
  for (const [index, child] of node.children.entries()) {
    const misfit = findMisfit(child, [...path, 'content', index]);
    if (misfit) return misfit;
  }
  return null;
}

function describe(node: Node): string {
  const names = (node.type.spec.content ?? '').match(/\w+/g) ?? [];
  return names.filter((name) => baseName(name) === name).join(' or ');
}
