import { setTimeout as delay } from 'node:timers/promises';
import { request, type Dispatcher } from 'undici';

/** Reads a change as a string: a title, the outcome of a path, or an error code. */
type Read = (base: string) => Promise<string>;

/** An acknowledged change, its expected value and the reads that show it. */
export interface Change {
  readonly kind: string;
  readonly expected: string;
  readonly read: Read;
}

/** Something that one writer changes repeatedly. */
export type Subject = (base: string, turn: number) => Promise<Change[]>;

type Answer = Record<string, unknown>;

export class Client {
  constructor(
    private readonly project: string,
    private readonly keys: { readonly delivery: string; readonly management: string },
    readonly siteId: string,
  ) {}

  async manage(base: string, line: string, body?: object): Promise<Answer> {
    const [method, path = ''] = line.split(' ') as [Dispatcher.HttpMethod, string];
    for (;;) {
      const url = `${base}/api/v1/projects/${this.project}${path}`;
      const { data, error } = (await this.#ask(url, { method, key: this.keys.management, body })) as {
        data?: Answer;
        error?: string;
      };
      if (data !== undefined) return data;
      // A concurrent writer of the tree or project won.
      if (error !== 'service_unavailable' && error !== 'conflict') throw new Error(`${line}: ${error}`);
      await delay(20);
    }
  }

  read(base: string, suffix: string, key = this.keys.delivery): Promise<Answer> {
    const url = `${base}/api/delivery/projects/${this.project}/sites/main${suffix}`;
    return this.#ask(url, { method: 'GET', key });
  }

  query(base: string, query: string): Promise<Answer> {
    const url = `${base}/api/graphql/${this.project}`;
    return this.#ask(url, { method: 'POST', key: this.keys.delivery, body: { query } });
  }

  async #ask(
    url: string,
    { method, key, body }: { method: Dispatcher.HttpMethod; key: string; body?: object | undefined },
  ): Promise<Answer> {
    const headers = {
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const answer = await request(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await answer.body.json()) as Answer;
  }
}

interface Entry {
  _id: string;
  fields: { title?: string };
}

const titleIn = (entry: Entry | null | undefined): string => entry?.fields.title ?? 'none';

/** Reads of an entry's title: by id, in its type's list, and over GraphQL. */
function titleReads(client: Client, id: string): readonly (readonly [string, Read])[] {
  return [
    [
      'entry',
      async (base) => {
        const { data, error } = (await client.read(base, `/entries/${id}`)) as {
          data?: Entry;
          error?: string;
        };
        return error === 'entry_not_found' ? 'none' : titleIn(data);
      },
    ],
    [
      'list',
      async (base) => {
        const { data } = (await client.read(base, '/content/note?limit=100')) as { data: Entry[] };
        return titleIn(data.find(({ _id }) => _id === id));
      },
    ],
    [
      'GraphQL',
      async (base) => {
        const query = `{ entry(id: "${id}") { ... on Note { title } } }`;
        const { data } = (await client.query(base, query)) as { data: { entry: { title: string } | null } };
        return data.entry?.title ?? 'none';
      },
    ],
  ];
}

/** An entry that is published, unpublished and deleted in turn. */
export function changingEntry(client: Client, name: string): Subject {
  let id = '';
  let version = 0;
  const shown = (kind: string, expected: string): Change[] =>
    titleReads(client, id).map(([where, read]) => ({ kind: `${kind}, ${where}`, expected, read }));
  return async (base, turn) => {
    const title = `${name} ${turn}`;
    if (id === '') {
      const body = { contentTypeApiName: 'note', siteId: client.siteId, fields: { title } };
      ({ id, version } = (await client.manage(base, 'POST /entries', body)) as {
        id: string;
        version: number;
      });
      await client.manage(base, `POST /entries/${id}/publish`, {});
      return shown('publish', title);
    }
    if (turn % 7 === 0) {
      await client.manage(base, `DELETE /entries/${id}`);
      const changes = shown('delete', 'none');
      id = '';
      return changes;
    }
    if (turn % 3 === 0) {
      await client.manage(base, `POST /entries/${id}/unpublish`, {});
      return shown('unpublish', 'none');
    }
    ({ version } = (await client.manage(base, `PUT /entries/${id}`, { version, fields: { title } })) as {
      version: number;
    });
    await client.manage(base, `POST /entries/${id}/publish`, {});
    return shown('publish', title);
  };
}

interface Page {
  readonly id: string;
  readonly treeNodeId: string;
  version: number;
}

/** A page that is renamed and moved in turn; its old path redirects. */
export function changingPage(client: Client, name: string): Subject {
  let page: Page | undefined;
  let folderId = '';
  let slug = '';
  let isInside = false;
  const at = (path: string): Read => {
    return async (base) => {
      const { data, error } = (await client.read(base, `/routes?path=${path}`)) as {
        data?: { kind: string; target?: string; entry?: { _id: string } };
        error?: string;
      };
      return error ?? data?.target ?? data?.entry?._id ?? '';
    };
  };
  const pathNow = (): string => `${isInside ? `/${name}-folder` : ''}/${slug}`;
  return async (base, turn) => {
    const { siteId } = client;
    if (page === undefined) {
      slug = `${name}-0`;
      const body = { contentTypeApiName: 'page', siteId, slug, fields: { title: name } };
      page = (await client.manage(base, 'POST /entries', body)) as unknown as Page;
      await client.manage(base, `POST /entries/${page.id}/publish`, {});
      const folder = { siteId, name: 'Folder', slug: `${name}-folder` };
      ({ id: folderId } = (await client.manage(base, 'POST /tree/nodes', folder)) as { id: string });
      return [{ kind: 'publish, route', expected: page.id, read: at(pathNow()) }];
    }
    const before = pathNow();
    if (turn % 2 === 0) {
      isInside = !isInside;
      await client.manage(base, `POST /tree/nodes/${page.treeNodeId}/move`, {
        parentId: isInside ? folderId : null,
      });
    } else {
      slug = `${name}-${turn}`;
      const change = { version: page.version, slug };
      const { version } = (await client.manage(base, `PUT /entries/${page.id}`, change)) as {
        version: number;
      };
      page.version = version;
      await client.manage(base, `POST /entries/${page.id}/publish`, {});
    }
    const kind = turn % 2 === 0 ? 'move' : 'rename';
    return [
      { kind: `${kind}, new path`, expected: page.id, read: at(pathNow()) },
      { kind: `${kind}, old path`, expected: pathNow(), read: at(before) },
    ];
  };
}

/** A key that is created, used and revoked. */
export function changingKey(client: Client): Subject {
  return async (base) => {
    const made = (await client.manage(base, 'POST /api-keys', { name: 'Short', type: 'delivery' })) as {
      id: string;
      secret: string;
    };
    const read: Read = async (where) => {
      const { error } = (await client.read(where, '/content/note', made.secret)) as { error?: string };
      return error ?? 'fine';
    };
    await read(base);
    await client.manage(base, `DELETE /api-keys/${made.id}`);
    return [{ kind: 'key revoke', expected: 'api_key_revoked', read }];
  };
}

/** An allowlist rule that admits anonymous callers of this machine and is deleted again. */
export function changingRule(client: Client): Subject {
  let isThere = true;
  let ruleId: string | undefined;
  return async (base) => {
    if (ruleId === undefined) {
      await client.manage(base, 'POST /ip-allowlist', { cidr: '192.0.2.1' });
      ({ id: ruleId } = (await client.manage(base, 'POST /ip-allowlist', { cidr: '127.0.0.0/8' })) as {
        id: string;
      });
      await client.manage(base, 'PUT /ip-allowlist', { enabled: true, appliesTo: ['delivery'] });
    }
    isThere = !isThere;
    await client.manage(base, `PUT /ip-allowlist/${ruleId}`, { isActive: isThere });
    const read: Read = async (where) => {
      const { error } = (await client.read(where, '/content/note?limit=1', '')) as { error?: string };
      return error ?? 'fine';
    };
    return [{ kind: 'IP rule', expected: isThere ? 'fine' : 'ip_not_allowed', read }];
  };
}
