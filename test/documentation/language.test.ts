import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from '@jest/globals';
import { root } from './pages.js';

/** Words that plain technical English does not use, each with what to write instead. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tells?|told|telling)\b/i, 'notify, report, log, receive'],
  [/\b(?:answers?|answered|answering)\b/i, 'return, respond, response'],
  [/\b(?:stands?|stood|standing)\b/i, 'be, exist, appear'],
  [/\bbears?\b/i, 'have, carry, include'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [
    /\b(?:a|the|its|this|of) text\b(?! (?:fields?|nodes?|values?|editor|search|index|kind)\b)|\btexts\b/i,
    'string, text value',
  ],
  [/\b(?:leads?|led|leading) (?:to|back|in|nowhere)\b/i, 'redirect to, resolve to'],
  [/\bof (?:its|their|his|your) own\b/i, 'own, separate'],
  [
    /(?<![\"'`])\b(?:anew|meanwhile|somebody|nobody|whoever|whomever|whereto)\b/i,
    'name the actor or the time',
  ],
  [/\bhand(?:s|ed|ing)? (?:on|over)\b/i, 'pass, delegate'],
  [/\b(?:keeps?|kept) apart\b/i, 'distinguish, isolate'],
  [/\bfor so long\b/i, 'after N seconds'],
  [/\b(?:is|are|was|were) (?:gone|away)\b/i, 'deleted, unavailable'],
];

/** Strings that a person reads have a space; SQL, selectors and the like are told apart by their form. */
const isProse = (text: string): boolean =>
  /[a-z] [a-z]/i.test(text) &&
  !/^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|SET|FROM|WHERE|AND|JOIN|LEFT|DO)\b/.test(text);

interface Text {
  readonly place: string;
  readonly text: string;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) return node.text;
  return undefined;
}

function textsOf(file: string, source: string): Text[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Text[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== undefined && isProse(text)) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
      found.push({ place: `${file}:${line}`, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const isChecked = (file: string): boolean => file.endsWith('.ts') && !file.includes('/migrations/steps/');

async function sourcesBelow(folder: string): Promise<string[]> {
  const names = await readdir(path.join(root, folder), { recursive: true });
  return names.map((name) => path.join(folder, name)).filter(isChecked);
}

describe('Language of contracts, messages, settings and log lines', () => {
  it('has none of the words that plain technical English does not use', async () => {
    const files = (await Promise.all(['contracts', 'src'].map(sourcesBelow))).flat();
    const offences: string[] = [];
    for (const file of files)
      for (const { place, text } of textsOf(file, await readFile(path.join(root, file), 'utf8')))
        for (const [pattern, instead] of words) {
          const match = pattern.exec(text);
          if (match !== null)
            offences.push(`${place}: "${match[0]}" (write: ${instead}) in "${text.slice(0, 160)}"`);
        }
    expect(offences).toEqual([]);
  });
});
