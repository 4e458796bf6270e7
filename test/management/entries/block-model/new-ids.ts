import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import type { Desk } from '../../../support/desk.js';
import { everyPart, isLink, type Item, type Locale, type Whole } from './model.js';

export type LocaleValues = readonly [Locale, Whole];

export function expectOk(response: Response): Record<string, unknown> {
  expect([200, 201].includes(response.status) ? '' : response.text).toBe('');
  return (response.body as { data: Record<string, unknown> }).data;
}

/** Replaces items on every level: all of a list before those that they hold. */
export function replaceItems(whole: Whole, replace: (item: Item) => Item): Whole {
  for (const list of ['inner', 'asides'] as const) whole[list] &&= whole[list].map(replace);
  for (const item of [...(whole.inner ?? []), ...(whole.asides ?? [])])
    if (!isLink(item)) replaceItems(item, replace);
  return whole;
}

/** A copy of a block. Ids of copies are made up until the service has chosen them. */
export function renewed(values: Whole, id: string): Whole {
  const copy = structuredClone(values);
  for (const part of everyPart(copy)) part.id = part === copy ? id : `${id} ${part.id}`;
  return copy;
}

function compareIds(values: Whole, fields: Record<string, unknown>, ids: Map<string, string>): void {
  for (const list of ['inner', 'asides'] as const) {
    const items = (fields[list] ?? []) as { _ref: string; fields?: Record<string, unknown> }[];
    expect(items).toHaveLength(values[list]?.length ?? 0);
    for (const [index, item] of (values[list] ?? []).entries()) {
      const { _ref = '', fields: inner = {} } = items[index] ?? {};
      if (isLink(item)) continue;
      if (item.id.startsWith('new ')) {
        expect(ids.get(item.id) ?? _ref).toBe(_ref);
        ids.set(item.id, _ref);
      }
      compareIds(item, inner, ids);
    }
  }
}

/** Ids of the service by those that were made up: each is the same in all locales, and that of one block. */
export async function chosenIds(
  desk: Desk,
  entryId: string,
  all: readonly LocaleValues[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [locale, values] of all) {
    const answer = expectOk(await desk.get(`/entries/${entryId}?locale=${locale}`));
    compareIds(values, answer.fields as Record<string, unknown>, ids);
  }
  expect(new Set(ids.values()).size).toBe(ids.size);
  return ids;
}
