import { escapeHtml } from '../rich-text/to-html.js';
import { phrasesIn, wordsIn, type QueryTerm, type WordTerm } from './search-query.js';
import { formsOf, type Stems } from './dictionaries.js';
import { synonymsIn } from './synonyms.js';
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

interface Reading {
  readonly locale: string;
  readonly terms: readonly QueryTerm[];
  readonly stems: Stems;
}

function matchesRun({ text, start }: Token, terms: readonly WordTerm[]): Match[] {
  return terms.flatMap(({ folded, pairs }) => {
    if (pairs === null) return [];
    const found: Match[] = [];
    for (let at = text.indexOf(folded); at >= 0; at = text.indexOf(folded, at + folded.length))
      found.push({ start: start + at, end: start + at + folded.length });
    return found;
  });
}

function matchesWord(
  token: Token,
  { words, locale, stems }: Reading & { readonly words: readonly WordTerm[] },
): boolean {
  const forms = formsOf(token, locale, stems);
  return words.some(
    ({ lexemes, compounds, isPrefix, folded, pairs }) =>
      pairs === null &&
      (forms.some((form) => lexemes.includes(form) || compounds.includes(form)) ||
        (isPrefix && token.folded.startsWith(folded))),
  );
}

/** Where a token of the text has one of a phrase, also in the middle of a run. */
function placeOf(
  token: Token,
  wanted: Token,
  { at, isSame }: { readonly at: 'first' | 'inner' | 'last' | 'only'; readonly isSame: IsSame },
): Match | null {
  const { text, start, end } = token;
  const { length } = wanted.text;
  if (!token.isRun || !wanted.isRun)
    return token.isRun === wanted.isRun && isSame(token, wanted) ? { start, end } : null;
  if (at === 'only') {
    const place = text.indexOf(wanted.text);
    return place < 0 ? null : { start: start + place, end: start + place + length };
  }
  if (at === 'first') return text.endsWith(wanted.text) ? { start: end - length, end } : null;
  if (at === 'last') return text.startsWith(wanted.text) ? { start, end: start + length } : null;
  return text === wanted.text ? { start, end } : null;
}

/** Whether a word of a text is one of a phrase. */
type IsSame = (token: Token, wanted: Token) => boolean;

const isWritten: IsSame = (token, wanted) => token.folded === wanted.folded;

/** Words of a phrase where they follow each other. */
function matchesPhrase(
  tokens: readonly Token[],
  phrase: readonly Token[],
  isSame: IsSame = isWritten,
): Match[] {
  const last = phrase.length - 1;
  return tokens.flatMap((_, index) => {
    const parts = phrase.map((wanted, place) => {
      const token = tokens[index + place];
      const at = last === 0 ? 'only' : place === 0 ? 'first' : place === last ? 'last' : 'inner';
      return token === undefined ? null : placeOf(token, wanted, { at, isSame });
    });
    const [first, end] = [parts[0], parts.at(-1)];
    return !first || !end || parts.includes(null) ? [] : [{ start: first.start, end: end.end }];
  });
}

function matchesIn(text: string, reading: Reading): Match[] {
  const found: Match[] = [];
  const words = wordsIn(reading.terms);
  const phrases = phrasesIn(reading.terms);
  const tokens = tokensOf(text, reading.locale);
  for (const token of tokens) {
    if (token.isRun) found.push(...matchesRun(token, words));
    else if (matchesWord(token, { ...reading, words })) found.push({ start: token.start, end: token.end });
  }
  for (const phrase of phrases) found.push(...matchesPhrase(tokens, phrase.tokens));
  const isForm: IsSame = (token, wanted) =>
    formsOf(token, reading.locale, reading.stems).includes(wanted.folded);
  for (const synonym of synonymsIn(reading.terms))
    found.push(...matchesPhrase(tokens, synonym.tokens, isForm));
  return found.sort((one, other) => one.start - other.start || other.end - one.end);
}

/** Does not cut characters in halves. */
const cut = (text: string, from: number, to: number): string => text.slice(from, to).toWellFormed();

function snippet(text: string, matches: readonly Match[], { start, end }: Match): string {
  let html = start > 0 ? '…' : '';
  let place = start;
  for (const match of matches) {
    if (match.start < place || match.end > end) continue;
    html += `${escapeHtml(cut(text, place, match.start))}<em>${escapeHtml(cut(text, match.start, match.end))}</em>`;
    place = match.end;
  }
  return `${html}${escapeHtml(cut(text, place, end))}${end < text.length ? '…' : ''}`;
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
