import { isObject } from '../exact-json/is-object.js';

/** A passage and what replaces it. */
export interface TextChange {
  readonly find: string;
  readonly replace: string;
}

/** A value with its passages replaced, and their number. */
interface Replaced {
  readonly value: unknown;
  readonly count: number;
}

interface TextNode {
  readonly type: 'text';
  readonly text: string;
}

const isText = (node: unknown): node is TextNode =>
  isObject(node) && node.type === 'text' && typeof node.text === 'string';

/** Starts of a passage in a text, without overlap. */
function startsIn(text: string, find: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(find); at >= 0; at = text.indexOf(find, at + find.length)) starts.push(at);
  return starts;
}

/** The part of a text between two places, as the change leaves it: a passage is replaced where it starts. */
function changedPart(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  { starts, change: { find, replace } }: { readonly starts: readonly number[]; readonly change: TextChange },
): string {
  let result = '';
  let at = from;
  for (const start of starts) {
    const end = start + find.length;
    if (end <= from || start >= to) continue;
    result += text.slice(at, Math.max(at, start)) + (start >= from ? replace : '');
    at = Math.min(end, to);
  }
  return result + text.slice(at, to);
}

/** Neighbouring text nodes, across whose marks a passage may reach. */
function replaceInRun(run: readonly TextNode[], change: TextChange): { nodes: TextNode[]; count: number } {
  const text = run.map((node) => node.text).join('');
  const starts = startsIn(text, change.find);
  let at = 0;
  const nodes = run.map((node) => {
    const range = { from: at, to: at + node.text.length };
    at = range.to;
    return { ...node, text: changedPart(text, range, { starts, change }) };
  });
  return { nodes: nodes.filter((node) => node.text !== ''), count: starts.length };
}

function replaceInContent(content: readonly unknown[], change: TextChange): Replaced {
  const value: unknown[] = [];
  let count = 0;
  let run: TextNode[] = [];
  const endRun = (): void => {
    const replaced = replaceInRun(run, change);
    value.push(...replaced.nodes);
    count += replaced.count;
    run = [];
  };
  for (const node of content) {
    if (isText(node)) run.push(node);
    else {
      endRun();
      const replaced = replaceText(node, change);
      value.push(replaced.value);
      count += replaced.count;
    }
  }
  endRun();
  return { value, count };
}

/** Replaces each passage in a string, a rich text document or a list of them. Marks and other nodes stay. */
export function replaceText(value: unknown, change: TextChange): Replaced {
  if (typeof value === 'string') {
    const parts = value.split(change.find);
    return { value: parts.join(change.replace), count: parts.length - 1 };
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => replaceText(item, change));
    return {
      value: items.map((item) => item.value),
      count: items.reduce((sum, item) => sum + item.count, 0),
    };
  }
  if (!isObject(value) || !Array.isArray(value.content)) return { value, count: 0 };
  const content = replaceInContent(value.content, change);
  return { value: { ...value, content: content.value }, count: content.count };
}
