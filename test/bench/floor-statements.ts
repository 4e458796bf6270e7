import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import pg from 'pg';

interface Row {
  id: string;
  slug: string;
  locale: string;
  published_at: Date;
  fields: Record<string, unknown>;
}

interface Link {
  _ref: string;
  _type: string;
}

const columns = 'entry_id AS id, slug, locale, published_at, fields';
const statements = {
  byId: `SELECT ${columns} FROM published_entries WHERE environment_id = $1 AND entry_id = $2 AND locale = 'en'`,
  byIds: `SELECT ${columns} FROM published_entries WHERE environment_id = $1 AND entry_id = ANY($2::uuid[]) AND locale = 'en'`,
  page: `SELECT ${columns} FROM published_entries WHERE environment_id = $1 AND content_type_id = $2 AND site_id = $3
    AND locale = 'en' ORDER BY published_at DESC, entry_id DESC LIMIT 25 OFFSET $4`,
  total: `SELECT sum(entries)::int AS total FROM published_counts
    WHERE environment_id = $1 AND content_type_id = $2 AND site_id = $3 AND locale = 'en'`,
} as const;

const send = (response: ServerResponse, body: unknown): void => {
  const text = JSON.stringify(body);
  response.writeHead(200, [
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(text)),
  ]);
  response.end(text);
};

const linkOf = (fields: Row['fields'], name: string): Link => fields[name] as Link;
const linksOf = (fields: Row['fields'], name: string): Link[] => fields[name] as Link[];

/** Serves the scenarios with hand-written prepared statements, one per hop. */
class HandWritten {
  readonly #pool: pg.Pool;

  constructor(
    url: string,
    private readonly values: Readonly<Record<string, string>>,
  ) {
    this.#pool = new pg.Pool({ connectionString: url, max: 10 });
  }

  async #run<R extends pg.QueryResultRow = Row>(
    name: keyof typeof statements,
    values: readonly unknown[],
  ): Promise<R[]> {
    const { rows } = await this.#pool.query<R>({
      name,
      text: statements[name],
      values: [this.values.environmentId, ...values],
    });
    return rows;
  }

  #present(type: string, { id, slug, locale, published_at: at, fields }: Row, own: Row['fields'] = fields) {
    const { siteId } = this.values;
    return {
      _id: id,
      _type: type,
      _slug: slug,
      _siteId: siteId,
      _locale: locale,
      _publishedAt: at.toISOString(),
      fields: own,
    };
  }

  async entry(id: string, include: boolean): Promise<unknown> {
    const [row] = await this.#run('byId', [id]);
    if (row === undefined) return { error: 'entry_not_found' };
    if (!include) return { data: this.#present('article', row) };
    const links = [linkOf(row.fields, 'author'), ...linksOf(row.fields, 'categories')];
    const found = await this.#run('byIds', [links.map(({ _ref }) => _ref)]);
    const byId = new Map(found.map((one) => [one.id, one]));
    const expanded = (link: Link) => {
      const target = byId.get(link._ref);
      return target === undefined ? link : this.#present(link._type, target);
    };
    const [author, ...categories] = links.map(expanded);
    return { data: this.#present('article', row, { ...row.fields, author, categories }) };
  }

  async #list(skip: number): Promise<{ rows: Row[]; total: number }> {
    const { articleType, siteId } = this.values;
    const [rows, [count]] = await Promise.all([
      this.#run('page', [articleType, siteId, skip]),
      this.#run<{ total: number }>('total', [articleType, siteId]),
    ]);
    return { rows, total: count?.total ?? 0 };
  }

  async page(page: number): Promise<unknown> {
    const { rows, total } = await this.#list((page - 1) * 25);
    const data = rows.map((row) => this.#present('article', row));
    return { data, meta: { total, page, limit: 25, pages: Math.ceil(total / 25) } };
  }

  /** Count, page, authors and categories: four statements. */
  async graphql(skip: number): Promise<unknown> {
    const { rows, total } = await this.#list(skip);
    const authorIds = new Set(rows.map(({ fields }) => linkOf(fields, 'author')._ref));
    const categoryIds = new Set(
      rows.flatMap(({ fields }) => linksOf(fields, 'categories').map(({ _ref }) => _ref)),
    );
    const [authors, categories] = await Promise.all([
      this.#run('byIds', [[...authorIds]]),
      this.#run('byIds', [[...categoryIds]]),
    ]);
    const names = new Map([...authors, ...categories].map(({ id, fields }) => [id, { name: fields.name }]));
    const items = rows.map(({ id, fields }) => ({
      _id: id,
      title: fields.title,
      author: names.get(linkOf(fields, 'author')._ref),
      categories: linksOf(fields, 'categories').map(({ _ref }) => names.get(_ref)),
    }));
    return { data: { articleCollection: { total, items } }, extensions: { complexity: 0 } };
  }

  async answer(request: IncomingMessage): Promise<unknown> {
    const url = request.url ?? '';
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { variables: { skip: number } };
      return this.graphql(body.variables.skip);
    }
    const id = /\/entries\/([-0-9a-f]{36})/.exec(url)?.[1];
    if (id !== undefined) return this.entry(id, url.includes('include=1'));
    return this.page(Number(/page=(\d+)/.exec(url)?.[1] ?? 1));
  }
}

/** node:http and pg with prepared statements for exactly these responses. */
export function statementsFloor(url: string, values: Readonly<Record<string, string>>): RequestListener {
  const hand = new HandWritten(url, values);
  return (request, response) => {
    hand.answer(request).then(
      (body) => {
        send(response, body);
      },
      (error: unknown) => {
        response.statusCode = 500;
        response.end(String(error));
      },
    );
  };
}
