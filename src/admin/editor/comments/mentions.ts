import type { Thread } from './threads.js';

/** Someone who can be mentioned, with a label that no one else has. */
export interface Person {
  readonly id: string;
  readonly label: string;
}

interface MentionedUser {
  readonly id: string;
  readonly name: string;
  readonly email?: string | undefined;
}

/** Those who share a name have their email address or a number behind it. */
export function peopleOf(named: readonly MentionedUser[]): Person[] {
  const people: Person[] = [];
  const taken = new Set<string>();
  const counts = Map.groupBy(named, ({ name }) => name);
  for (const { id, name, email } of named) {
    const isShared = name === '' || (counts.get(name)?.length ?? 0) > 1;
    const plain = isShared && email !== undefined ? `${name} (${email})`.trim() : name || id;
    let label = plain;
    for (let number = 2; taken.has(label); number += 1) label = `${plain} ${String(number)}`;
    taken.add(label);
    people.push({ id, label });
  }
  return people;
}

/** Users who have written comments: they are known to those who may not list members. */
export function authorsOf(threads: readonly Thread[]): MentionedUser[] {
  const authors = new Map<string, MentionedUser>();
  for (const { first, replies } of threads)
    for (const { createdBy } of [first, ...replies])
      if (createdBy.type === 'user' && createdBy.id !== null)
        authors.set(createdBy.id, { id: createdBy.id, name: createdBy.name });
  return [...authors.values()];
}

const mention = /@\[([0-9a-f-]{36})\]/gi;

export interface Part {
  readonly text: string;
  readonly isMention: boolean;
}

/** Stored words with names instead of ids. */
export function partsOf(stored: string, people: readonly Person[], unknown: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: found, 1: id = '', index } of stored.matchAll(mention)) {
    if (index > end) parts.push({ text: stored.slice(end, index), isMention: false });
    const label = people.find((person) => person.id === id.toLowerCase())?.label ?? unknown;
    parts.push({ text: `@${label}`, isMention: true });
    end = index + found.length;
  }
  if (end < stored.length) parts.push({ text: stored.slice(end), isMention: false });
  return parts;
}

/** As it is edited. Members who are not known keep their id. */
export const editable = (stored: string, people: readonly Person[]): string =>
  stored.replace(mention, (found, id: string) => {
    const person = people.find((one) => one.id === id.toLowerCase());
    return person === undefined ? found : `@${person.label}`;
  });

const isWordAt = (typed: string, index: number): boolean => /^[\p{L}\p{N}]/u.test(typed.slice(index));

/** As it is stored: `@Ada` becomes `@[id]`, the longest label first. */
export function storedFrom(typed: string, people: readonly Person[]): string {
  const longest = [...people].sort((one, other) => other.label.length - one.label.length);
  let stored = '';
  for (let index = 0; index < typed.length;) {
    const person =
      typed[index] === '@' && !isWordAt(typed.charAt(index - 1), 0)
        ? longest.find(({ label }) => {
            const end = index + 1 + label.length;
            return typed.startsWith(label, index + 1) && !isWordAt(typed, end);
          })
        : undefined;
    stored += person === undefined ? (typed[index] ?? '') : `@[${person.id}]`;
    index += person === undefined ? 1 : 1 + person.label.length;
  }
  return stored;
}

/** A mention that is being typed. */
export interface Typing {
  /** Index of the `@`. */
  readonly start: number;
  readonly end: number;
  readonly matches: readonly Person[];
}

const TYPED_MAXIMUM = 60;
const SHOWN = 8;

/** Who is meant by what is typed before the cursor; undefined without a match. */
export function typingAt(typed: string, cursor: number, people: readonly Person[]): Typing | undefined {
  const start = typed.lastIndexOf('@', cursor - 1);
  if (start < 0 || cursor - start > TYPED_MAXIMUM || isWordAt(typed.charAt(start - 1), 0)) return undefined;
  const sought = typed.slice(start + 1, cursor).toLowerCase();
  if (sought.includes('\n')) return undefined;
  const matches = people.filter(({ label }) => ` ${label.toLowerCase()}`.includes(` ${sought}`));
  return matches.length === 0 ? undefined : { start, end: cursor, matches: matches.slice(0, SHOWN) };
}
