import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import type { Desk } from '../../../support/desk.js';
import { changed, requested } from './changes.js';
import { merged } from './merge.js';
import { chosenIds, expectOk, renewed, replaceItems, type LocaleValues } from './new-ids.js';
import {
  addVersion,
  divide,
  entryOf,
  everyPart,
  isLink,
  markOf,
  sameAs,
  valuesAnywhere,
  valuesIn,
  writtenIn,
  type Locale,
  type Model,
  type ModelEntry,
  type Whole,
} from './model.js';
import type { Operation, OperationOf } from './operations.js';

const MOST_ENTRIES = 6;

const at = <One>(list: readonly One[], index: number): One | undefined => list[index % list.length];

/** Performs operations by the management API, and what they should do on the model. */
export class Editor {
  readonly model: Model = { entries: [], owners: new Map() };

  constructor(private readonly desk: Desk) {}

  async create(): Promise<void> {
    const siteId = this.desk.project.siteId;
    const body = { contentTypeApiName: 'page', siteId, fields: { text: 'page' } };
    const { id } = expectOk(await this.desk.post('/entries', body)) as { id: string };
    const state = { common: { id: '' }, locals: new Map() };
    const entry: ModelEntry = { id, type: 'page', version: 0, state, versions: new Map(), live: new Map() };
    state.locals.set('en', divide({ id: '', text: 'page' }).local);
    this.model.entries.push(entry);
    addVersion(this.model, entry);
  }

  apply(operation: Operation): Promise<void> {
    const entry = at(this.model.entries, operation.entry);
    if (entry === undefined) throw new Error('no entry');
    switch (operation.verb) {
      case 'write':
        return this.#write(entry, operation);
      case 'stale':
        return this.#stale(entry, operation);
      case 'share':
        return this.#share(entry, operation);
      case 'detach':
        return this.#detach(entry, operation);
      case 'duplicate':
        return this.#duplicate(entry);
      case 'copyLocale':
        return this.#copyLocale(entry, operation);
      case 'restore':
        return this.#restore(entry, operation);
      case 'publish':
        return this.#publish(entry, operation.locale);
      case 'unpublish':
        return this.#unpublish(entry, operation.locale);
    }
  }

  /** The locale, and the values in it; none for a new one. */
  #valuesToWrite({ state }: ModelEntry, locale: Locale): Whole {
    return valuesIn(state, locale) ?? valuesAnywhere(state, locale);
  }

  /** Whether a block can move to a shared list: no other locale has it in a localized list. */
  #isFree({ state }: ModelEntry, locale: Locale): (id: string) => boolean {
    const common = new Set(
      everyPart(valuesAnywhere({ ...state, locals: new Map() }, locale)).map(({ id }) => id),
    );
    const others = [...state.locals.keys()].filter((one) => one !== locale);
    const held = others.flatMap((one) => everyPart(valuesIn(state, one) ?? { id: '' }).map(({ id }) => id));
    return (id) => common.has(id) || !held.includes(id);
  }

  /** What a locale says now; the others keep their own values. */
  #set(entry: ModelEntry, locale: Locale, values: Whole): void {
    const { common, local } = divide(values);
    entry.state.common = common;
    entry.state.locals.set(locale, local);
  }

  #put(entry: ModelEntry, body: object): Promise<Response> {
    return this.desk.put(`/entries/${entry.id}`, { version: entry.version, ...body });
  }

  async #write(entry: ModelEntry, { locale, change }: OperationOf<'write'>): Promise<void> {
    const before = this.#valuesToWrite(entry, locale);
    const after = changed(before, change, this.#isFree(entry, locale));
    const fields = requested(before, after);
    if (Object.keys(fields).length === 0) return;
    expectOk(await this.#put(entry, { locale, fields }));
    this.#set(entry, locale, after);
    addVersion(this.model, entry);
  }

  /** Two editors of the same version. */
  async #stale(entry: ModelEntry, { locale: wanted, first, second }: OperationOf<'stale'>): Promise<void> {
    const [locale = 'en'] = entry.state.locals.has(wanted) ? [wanted] : writtenIn(entry);
    const base = this.#valuesToWrite(entry, locale);
    const [theirs, mine] = [changed(base, first), changed(base, second)];
    const [before, fields] = [requested(base, theirs), requested(base, mine)];
    if (Object.keys(before).length === 0 || Object.keys(fields).length === 0) return;
    const { version } = entry;
    expectOk(await this.#put(entry, { locale, fields: before }));
    this.#set(entry, locale, theirs);
    addVersion(this.model, entry);
    const late = { version, locale, fields, mergeStrategy: 'disjoint' };
    const response = await this.desk.put(`/entries/${entry.id}`, late);
    const values = merged(base, mine, theirs);
    if (values === undefined) {
      expect([response.status, (response.body as { error: string }).error]).toEqual([
        409,
        'version_conflict',
      ]);
      return;
    }
    expectOk(response);
    if (sameAs(values) === sameAs(theirs)) return;
    this.#set(entry, locale, values);
    addVersion(this.model, entry);
  }

  async #share(entry: ModelEntry, { at: index }: OperationOf<'share'>): Promise<void> {
    const written = writtenIn(entry);
    const blocks = written.flatMap((locale) =>
      everyPart(valuesIn(entry.state, locale) ?? { id: '' }).slice(1),
    );
    const block = at(blocks, index);
    if (block === undefined || this.model.entries.length >= MOST_ENTRIES) return;
    expectOk(await this.desk.post(`/entries/${entry.id}/blocks/${block.id}/share`, {}));
    const state: ModelEntry['state'] = { common: { id: '' }, locals: new Map() };
    for (const locale of written) {
      const values = valuesIn(entry.state, locale) ?? { id: '' };
      const own = everyPart(values).find(({ id }) => id === block.id);
      if (own === undefined) continue;
      const { common, local } = divide({ ...own, id: '' });
      if (state.locals.size === 0) state.common = common;
      state.locals.set(locale, local);
    }
    const made: ModelEntry = {
      id: block.id,
      type: 'piece',
      version: 0,
      state,
      versions: new Map(),
      live: new Map(),
    };
    const all = written.map((locale) => [locale, valuesIn(entry.state, locale) ?? { id: '' }] as const);
    for (const [locale, values] of all)
      this.#set(
        entry,
        locale,
        replaceItems(values, (item) => (!isLink(item) && item.id === block.id ? { link: block.id } : item)),
      );
    this.model.entries.push(made);
    addVersion(this.model, entry);
    addVersion(this.model, made);
  }

  async #detach(entry: ModelEntry, { at: index }: OperationOf<'detach'>): Promise<void> {
    const written = writtenIn(entry);
    const links = written
      .flatMap((locale) => everyPart(valuesIn(entry.state, locale) ?? { id: '' }))
      .flatMap(({ inner = [], asides = [] }) => [...inner, ...asides].filter(isLink));
    const link = at(links, index)?.link;
    const shared = link === undefined ? undefined : entryOf(this.model, link);
    if (link === undefined || shared === undefined) return;
    expectOk(await this.desk.post(`/entries/${entry.id}/blocks/${link}/detach`, {}));
    const all = written.map((locale) => {
      let copies = 0;
      const values = valuesIn(entry.state, locale) ?? { id: '' };
      const copied = replaceItems(values, (item) => {
        if (!isLink(item) || item.link !== link) return item;
        const copy = `new ${String((copies += 1))}`;
        return renewed(valuesAnywhere(shared.state, locale), copy);
      });
      return [locale, copied] as const;
    });
    await this.#adopt(entry, all);
    addVersion(this.model, entry);
  }

  async #duplicate(source: ModelEntry): Promise<void> {
    if (this.model.entries.length >= MOST_ENTRIES) return;
    const made = expectOk(await this.desk.post(`/entries/${source.id}/duplicate`, { titleSuffix: '' }));
    const state = { common: { id: '' }, locals: new Map() };
    const copy: ModelEntry = {
      ...source,
      id: String(made.id),
      version: 0,
      state,
      versions: new Map(),
      live: new Map(),
    };
    const all = writtenIn(source).map((locale) => {
      const values = valuesIn(source.state, locale) ?? { id: '' };
      for (const part of everyPart(values)) if (part !== values) part.id = `new ${part.id}`;
      return [locale, values] as const;
    });
    await this.#adopt(copy, all);
    this.model.entries.push(copy);
    addVersion(this.model, copy);
  }

  /** The values with the ids that the service has chosen for new blocks. The first locale says what all share. */
  async #adopt(entry: ModelEntry, all: readonly LocaleValues[]): Promise<void> {
    const chosen = await chosenIds(this.desk, entry.id, all);
    const ids = [...chosen.values()];
    expect(ids.filter((id) => this.model.owners.has(id) || entryOf(this.model, id) !== undefined)).toEqual(
      [],
    );
    for (const [locale, values] of [...all].reverse()) {
      for (const part of everyPart(values)) part.id = chosen.get(part.id) ?? part.id;
      this.#set(entry, locale, values);
    }
  }

  async #copyLocale(
    entry: ModelEntry,
    { from: wanted, overwrite }: OperationOf<'copyLocale'>,
  ): Promise<void> {
    const [from = 'en'] = entry.state.locals.has(wanted) ? [wanted] : writtenIn(entry);
    const to = from === 'en' ? 'de' : 'en';
    const body = { fromLocale: from, toLocale: to, overwrite };
    expectOk(await this.desk.post(`/entries/${entry.id}/copy-locale`, body));
    const { locals } = entry.state;
    const [source, target] = [locals.get(from), locals.get(to)];
    if (source === undefined) throw new Error(`no draft in ${from}`);
    const before = valuesIn(entry.state, to);
    const both = <One extends object>(one: One, other: One): One =>
      structuredClone(overwrite ? { ...other, ...one } : { ...one, ...other });
    const blocks = new Map(target?.blocks);
    for (const [id, own] of source.blocks) blocks.set(id, both(own, target?.blocks.get(id) ?? {}));
    const own = both(source.own, target?.own ?? {});
    const values = valuesIn({ ...entry.state, locals: new Map([[to, { own, blocks }]]) }, to) ?? { id: '' };
    if (before !== undefined && sameAs(before) === sameAs(values)) return;
    locals.set(to, divide(values).local);
    addVersion(this.model, entry);
  }

  /** Blocks keep their ids, unless another entry has them; those that were shared since are links. */
  #former(entry: ModelEntry, values: Whole): Whole {
    const { model } = this;
    return replaceItems(values, (item) => {
      if (isLink(item)) return item;
      if (entryOf(model, item.id) !== undefined) return { link: item.id };
      return model.owners.get(item.id) === entry.id ? item : { ...item, id: `new ${item.id}` };
    });
  }

  async #restore(entry: ModelEntry, { version, only }: OperationOf<'restore'>): Promise<void> {
    const versionNum = 1 + (version % entry.version);
    const snapshot = entry.versions.get(versionNum);
    const known = snapshot === undefined ? [] : [...snapshot.locals.keys()];
    const isOne = only !== null && known.includes(only) && entry.state.locals.has(only);
    const body = { versionNum, version: entry.version, ...(isOne && { locale: only }) };
    expectOk(await this.desk.post(`/entries/${entry.id}/restore`, body));
    if (snapshot === undefined) throw new Error(`no version ${String(versionNum)}`);
    const { common } = structuredClone(entry.state);
    const all = writtenIn(entry)
      .filter((locale) => (isOne ? locale === only : known.includes(locale)))
      .map((locale) => [locale, this.#former(entry, valuesIn(snapshot, locale) ?? { id: '' })] as const);
    if (isOne) {
      for (const [locale, values] of all) this.#set(entry, locale, values);
      entry.state.common = common;
    } else await this.#adopt(entry, all);
    // Localized values of blocks that are left keep the place of their list.
    const { state } = entry;
    if ([...state.locals.values()].some(({ blocks }) => blocks.size > 0)) state.common.inner ??= [];
    addVersion(this.model, entry);
  }

  async #publish(entry: ModelEntry, locale: Locale): Promise<void> {
    const values = valuesIn(entry.state, locale);
    const response = await this.desk.post(`/entries/${entry.id}/publish`, { locale });
    if (values === undefined) {
      expect(response.status).toBe(422);
      return;
    }
    expectOk(response);
    entry.live.set(locale, { values, mark: markOf(entry.state, locale) });
  }

  async #unpublish(entry: ModelEntry, locale: Locale): Promise<void> {
    const response = await this.desk.post(`/entries/${entry.id}/unpublish`, { locale });
    if (entry.live.has(locale)) expectOk(response);
    entry.live.delete(locale);
  }
}
