import type { SelectedText, TextRange } from './discussion.js';

type TextControl = HTMLInputElement | HTMLTextAreaElement;

const isTextControl = (element: Element | null): element is TextControl =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** What is selected in a control; undefined for nothing and for everything. */
export function selectedIn(controlId: string): SelectedText | undefined {
  const control = document.getElementById(controlId);
  if (!isTextControl(control)) return undefined;
  const { selectionStart: from, selectionEnd: to, value } = control;
  if (from === null || to === null || from === to || to - from === value.length) return undefined;
  return { from, to, quote: value.slice(from, to) };
}

/** Where a range of a string is after one part of the string was replaced; undefined if the range was replaced. */
export function rangeAfter(before: string, after: string, { from, to }: TextRange): TextRange | undefined {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [oldEnd, newEnd] = [before.length - end, after.length - end];
  const grown = newEnd - oldEnd;
  const mapped = {
    from: from < start ? from : from < oldEnd ? newEnd : from + grown,
    to: to <= start ? to : to < oldEnd ? start : to + grown,
  };
  return mapped.from < mapped.to ? mapped : undefined;
}
