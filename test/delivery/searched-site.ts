import { send } from '../support/call.js';
import type { TestApp } from '../support/app.js';
import { openDesk, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { change } from '../management/entries/history.js';

export interface Hit {
  readonly title: string;
  readonly score: number;
  readonly entry: { readonly _locale: string; readonly fields: object };
}

/** A project with articles in English, German, which falls back to English, and French, whose site is searched. */
export class SearchedSite {
  private constructor(
    readonly app: TestApp,
    readonly desk: Desk,
  ) {}

  static async open(app: TestApp): Promise<SearchedSite> {
    const locales = ['en', { code: 'de', fallbackCode: 'en' }, 'fr'];
    return new SearchedSite(app, await openDesk(app, { locales }));
  }

  index(): Promise<number> {
    return this.app.composition.jobs.indexSearch();
  }

  /** A published article; `others` are its titles in other locales. */
  async live(fields: Record<string, unknown>, others: Record<string, string> = {}): Promise<string> {
    const { app, desk } = this;
    const { id } = await createEntry(app, desk.project, { contentTypeApiName: 'article', fields });
    for (const [locale, title] of Object.entries(others))
      await change(desk, id, { locale, fields: { title } });
    for (const locale of ['en', ...Object.keys(others)]) await publish(app, desk.project, id, locale);
    return id;
  }

  find(query: string, key?: string) {
    return send(this.app, { method: 'GET', path: `${this.desk.project.delivery}/search?${query}`, key });
  }

  async hits(query: string, key?: string): Promise<Hit[]> {
    return (await this.find(query, key)).body.data as Hit[];
  }

  async titles(query: string, key?: string): Promise<string[]> {
    return (await this.hits(query, key)).map(({ title }) => title);
  }

  async ask(query: string, key = this.desk.project.keys.delivery) {
    const path = `/api/graphql/${this.desk.project.slug}`;
    const { body } = await send(this.app, { method: 'POST', path, key, body: { query } });
    return body as { data: unknown; errors?: { extensions: { code: string } }[] };
  }
}
