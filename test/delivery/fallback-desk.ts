import { expect } from '@jest/globals';
import { send } from '../support/call.js';
import type { TestApp } from '../support/app.js';
import { Desk } from '../support/desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { createProject } from '../support/factories/project.js';

/** English is the default; Austrian falls back to German, and this to English; French has no fallback. */
const locales = ['en', { code: 'de', fallbackCode: 'en' }, { code: 'de-AT', fallbackCode: 'de' }, 'fr'];

export type Fields = Record<string, unknown>;

interface Served {
  readonly _locale: string;
  readonly fields: Fields;
}

/** A project with a type whose fields fall back. */
export class FallbackDesk extends Desk {
  static async open(app: TestApp): Promise<FallbackDesk> {
    const project = await createProject(app, { locales });
    await createType(app, project, {
      apiName: 'article',
      fieldFallback: true,
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'teaser', type: 'text' },
        { apiName: 'body', type: 'richText' },
        { apiName: 'tags', type: 'text', isList: true },
        { apiName: 'rating', type: 'integer', localized: true },
        { apiName: 'isOpen', type: 'boolean', localized: true },
        { apiName: 'code', type: 'text', localized: false },
        { apiName: 'more', type: 'reference', localized: true },
      ],
    });
    return new FallbackDesk(app, project);
  }

  async draft(id: string, locale: string, fields: Fields): Promise<void> {
    const { body } = await this.get(`/entries/${id}`);
    const { version } = body.data as { version: number };
    expect((await this.put(`/entries/${id}`, { version, locale, fields })).status).toBe(200);
  }

  /** Writes the fields in a locale, and publishes it. */
  async write(id: string, locale: string, fields: Fields): Promise<void> {
    await this.draft(id, locale, fields);
    await publish(this.app, this.project, id, locale);
  }

  /** An article that is published in these locales, in this order. */
  async article(
    [locale, fields]: [locale: string, fields: Fields],
    ...others: [locale: string, fields: Fields][]
  ): Promise<string> {
    const { app, project } = this;
    const made = await createEntry(app, project, { contentTypeApiName: 'article', locale, fields });
    await publish(app, project, made.id, locale);
    for (const [code, values] of others) await this.write(made.id, code, values);
    return made.id;
  }

  deliver(path: string, key?: string) {
    return send(this.app, { method: 'GET', path: `${this.project.delivery}${path}`, key });
  }

  async read(id: string, locale: string, key?: string): Promise<Served> {
    const { body } = await this.deliver(`/entries/${id}?locale=${locale}`, key);
    return (body as { data: Served }).data;
  }

  async shown(id: string, locale: string, name = 'teaser'): Promise<unknown> {
    return (await this.read(id, locale)).fields[name];
  }
}
