import { expect } from '@jest/globals';
import type { Desk } from '../../../support/desk.js';
import { locales, statusOf, valuesIn, writtenIn, type Model, type ModelEntry } from './model.js';
import { delivered, drafted, liveBlocks, liveValues, simplified } from './shown.js';

/** The most that delivery expands. */
const HOPS = 3;

interface Answer {
  readonly version: number;
  readonly fields: object;
  readonly locales: { locale: string; status: string }[];
}

/** Compares what management and delivery say with the model. */
export class Comparison {
  constructor(
    private readonly desk: Desk,
    private readonly model: Model,
  ) {}

  async check(): Promise<void> {
    for (const entry of this.model.entries) {
      await this.#checkDrafts(entry);
      await this.#checkPublished(entry);
    }
  }

  async #checkDrafts(entry: ModelEntry): Promise<void> {
    const written = writtenIn(entry);
    const statuses = written.map((locale) => [locale, statusOf(entry, locale)]);
    for (const locale of written) {
      const { body } = await this.desk.get(`/entries/${entry.id}?locale=${locale}`);
      const { version, fields, locales: states } = (body as { data: Answer }).data;
      const { fields: held } = simplified({ _ref: '', _type: '', fields }) as { fields: object };
      const values = valuesIn(entry.state, locale);
      expect({ locale, version, held }).toEqual({
        locale,
        version: entry.version,
        held: values && drafted(values),
      });
      const found = states.map(({ locale: code, status }) => [code, status]);
      expect(new Map(found as [string, string][])).toEqual(new Map(statuses as [string, string][]));
    }
  }

  async #checkPublished(entry: ModelEntry): Promise<void> {
    for (const locale of locales)
      for (const id of [entry.id, ...liveBlocks(entry, locale).map((block) => block.id)]) {
        const hops = id === entry.id ? HOPS : 0;
        const read = await this.#read(id, `?locale=${locale}&include=${String(hops)}`);
        const values = liveValues(this.model, id, locale);
        const expected = values === undefined ? null : delivered(this.model, { values, id }, locale, hops);
        expect({ id, locale, read }).toEqual({ id, locale, read: expected });
      }
  }

  async #read(id: string, query: string): Promise<unknown> {
    const { app, project } = this.desk;
    const { status, body } = await app.request.get(`${project.delivery}/entries/${id}${query}`);
    return status === 404 ? null : simplified((body as { data: unknown }).data);
  }
}
