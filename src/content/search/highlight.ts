import type { QueryTerm } from './search-query.js';
import type { Stems } from './dictionaries.js';
import { tokensOf, type Token } from './words.js';

/** Characters of a snippet before and after its first match. */
const BEFORE = 60;
const AFTER = 140;
const SNIPPETS = 3;
/** Characters of a text that are looked through. */
const READ = 50_000;

interface Match {
  readonly start: number;
  readonly end: number;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

interface Reading {
  readonly locale: string;
  readonly terms: readonly QueryTerm[];
  readonly dictionary: string | undefined;
  readonly stems: Stems;
}

function matchesRun({ text, start }: Token, terms: readonly QueryTerm[]): Match[] {
  return terms.flatMap(({ folded, pairs }) => {
    if (pairs === null) return [];
    const found: Match[] = [];
    for (let at = text.indexOf(folded); at >= 0; at = text.indexOf(folded, at + folded.length))
      found.push({ start: start + at, end: start + at + folded.length });
    return found;
  });
}

function matchesWord(token: Token, { terms, dictionary, stems }: Reading): boolean {
  const stem = dictionary === undefined ? undefined : stems.of(dictionary, token.text);
  return terms.some(
    ({ lexemes, isPrefix, folded, pairs }) =>
      pairs === null &&
      (lexemes.includes(token.folded) ||
        (typeof stem === 'string' && lexemes.includes(stem)) ||
        (isPrefix && token.folded.startsWith(folded))),
  );
}

function matchesIn(text: string, reading: Reading): Match[] {
  const found: Match[] = [];
  for (const token of tokensOf(text, reading.locale)) {
    if (token.isRun) found.push(...matchesRun(token, reading.terms));
    else if (matchesWord(token, reading)) found.push({ start: token.start, end: token.end });
  }
  return found.sort((one, other) => one.start - other.start);
}

/** Does not cut characters in halves. */
const cut = (text: string, from: number, to: number): string => text.slice(from, to).toWellFormed();

function snippet(text: string, matches: readonly Match[], { start, end }: Match): string {
  let html = start > 0 ? '…' : '';
  let place = start;
  for (const match of matches) {
    if (match.start < place || match.end > end) continue;
    html += `${escaped(cut(text, place, match.start))}<em>${escaped(cut(text, match.start, match.end))}</em>`;
    place = match.end;
  }
  return `${html}${escaped(cut(text, place, end))}${end < text.length ? '…' : ''}`;
}

/** Parts of a text with what was found in `<em>`, the only markup; empty if nothing was. */
export function highlightsOf(given: string, reading: Reading): string[] {
  const text = given.slice(0, READ).normalize('NFC');
  const matches = matchesIn(text, reading);
  const snippets: string[] = [];
  for (let end = 0; snippets.length < SNIPPETS;) {
    const first = matches.find((match) => match.start >= end);
    if (first === undefined) return snippets;
    const from = Math.max(end, first.start - BEFORE);
    end = Math.max(first.end, Math.min(text.length, first.start + AFTER));
    snippets.push(snippet(text, matches, { start: from, end }));
  }
  return snippets;
}
