import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { column, issues, outcome, useApp } from '../support/desk.js';
import { publish } from '../support/factories/content.js';
import { sessionWith } from '../support/members.js';
import { verifies } from '../support/verifies.js';
import { asWhere, openHarbour, type Harbour, type Where } from './harbour.js';

verifies('delivery/where-references', 'delivery/where-rejected');

const app = useApp();
let harbour: Harbour;

beforeAll(async () => {
  harbour = await openHarbour(app());
});

describe('A reference in the parameter where', () => {
  it('takes a filter of the entries referred to, of which one has to match all of it', async () => {
    await harbour.expectFound({ captain: { name: { eq: 'Ada' } } }, 'a');
    await harbour.expectFound({ captain: { age: { gt: 30 } } }, 'ab');
    await harbour.expectFound({ captain: { name: { in: ['Ada', 'Cleo'] }, age: { exists: true } } }, 'a');
    await harbour.expectFound({ captain: { name: { eq: 'Nobody' } } }, '');
    await harbour.expectFound({ captain: { _id: { ne: harbour.ids.get('Ada') ?? '' } } }, 'bc');
    await harbour.expectFound({ captain: { eq: harbour.ids.get('Ada') ?? '' } }, 'a');
  });

  it('finds harbour.lists of references with an entry that matches, of any type that has the fields', async () => {
    await harbour.expectFound({ crew: { name: { eq: 'Cleo' } } }, 'a');
    await harbour.expectFound({ crew: { name: { eq: 'Ben' }, age: { lt: 50 } } }, '');
    await harbour.expectFound({ crew: { age: { gte: 40 } } }, 'ac');
  });

  it('finds entries of the type that it names only', async () => {
    await harbour.expectFound({ crew: { _type: { eq: 'captain' }, age: { gte: 40 } } }, 'ac');
    await harbour.expectFound({ crew: { _type: { eq: 'boat' }, name: { eq: 'Cleo' } } }, '');
    await harbour.expectFound({ captain: { _type: { eq: 'captain' } } }, 'abc');
  });

  it('combines with and, or and not, outside and inside', async () => {
    await harbour.expectFound({ not: { captain: { name: { eq: 'Ada' } } } }, 'bcd');
    await harbour.expectFound({ captain: { not: { name: { eq: 'Ada' } } } }, 'bc');
    await harbour.expectFound(
      { captain: { or: [{ name: { eq: 'Ben' } }, { age: { exists: false } }] } },
      'bc',
    );
    await harbour.expectFound({ or: [{ captain: { age: { gt: 60 } } }, { name: { eq: 'd' } }] }, 'bd');
  });

  it('changes with a publication of the entry referred to', async () => {
    const find = () => harbour.lists.delivery(asWhere({ captain: { age: { eq: 33 } } }));
    expect(await find()).toBe('');
    const id = harbour.ids.get('Cleo') ?? '';
    const { version } = (await harbour.desk.get(`/entries/${id}`)).body.data as { version: number };
    await harbour.desk.put(`/entries/${id}`, { version, fields: { age: 33 } });
    expect(await harbour.lists.drafts(asWhere({ captain: { age: { eq: 33 } } }))).toBe('c');
    expect(await find()).toBe('');
    await publish(app(), harbour.desk.project, id);
    expect(await find()).toBe('c');
    const path = `${harbour.desk.project.delivery}/content/boat?${asWhere({ captain: { age: { eq: 33 } } })}`;
    const { headers } = await send(app(), { method: 'GET', path });
    expect(String(headers['surrogate-key']).split(' ')).toContain('type:captain');
  });

  it('finds nothing by drafts that the caller does not read', async () => {
    const scope = { contentTypes: ['boat'] };
    const token = await sessionWith(app(), harbour.desk.project, [
      { resource: 'entries', action: 'read', scope },
    ]);
    const find = (where: Where) =>
      harbour.desk.as(token).get(`/entries?contentTypeApiName=boat&orderBy=createdAt:asc&${asWhere(where)}`);
    const found = await find({ captain: { name: { eq: 'Ada' } } });
    expect([found.status, found.body.data]).toEqual([200, []]);
    expect(column(await find({ name: { in: ['a', 'b'] } }), 'id')).toEqual([
      harbour.ids.get('a'),
      harbour.ids.get('b'),
    ]);
  });
});

describe('A parameter where that is refused', () => {
  const rejected: [where: string, path: string, code: string][] = [
    ['title', 'where', 'invalid_json'],
    ['{"name":{"eq":"a"}', 'where', 'invalid_json'],
    ['[]', 'where', 'invalid_filter'],
    ['{"names":{"eq":"a"}}', 'where.names.eq', 'invalid_filter'],
    ['{"name":"a"}', 'where.name', 'invalid_type'],
    ['{"name":["a"]}', 'where.name', 'invalid_type'],
    ['{"name":{"eq":null}}', 'where.name.eq', 'invalid_type'],
    ['{"name":{"in":[]}}', 'where.name.in', 'too_small'],
    ['{"name":{"eq":{"eq":"a"}}}', 'where.name.eq', 'invalid_type'],
    ['{"name":{"like":"a"}}', 'where.name.like', 'unrecognized_key'],
    ['{"size":{"gt":"large"}}', 'where.size.gt', 'invalid_filter'],
    ['{"isOld":{"gt":true}}', 'where.isOld.gt', 'invalid_filter'],
    ['{"or":[]}', 'where.or', 'invalid_filter'],
    ['{"or":{"name":{"eq":"a"}}}', 'where.or', 'invalid_filter'],
    ['{"or":[{"name":{"eq":"a"}},{"size":{"gt":"x"}}]}', 'where.or.1.size.gt', 'invalid_filter'],
    ['{"not":[{"name":{"eq":"a"}}]}', 'where.not', 'invalid_filter'],
    ['{"captain":{"rank":{"eq":"a"}}}', 'where.captain.rank.eq', 'invalid_filter'],
    ['{"crew":{"rank":{"eq":"a"}}}', 'where.crew.rank.eq', 'invalid_filter'],
    ['{"captain":{"home":{"title":{"eq":"a"}}}}', 'where.captain.home', 'invalid_filter'],
    ['{"captain":{"_type":{"eq":"boat"}}}', 'where.captain._type', 'invalid_filter'],
    ['{"captain":{"_type":"captain"}}', 'where.captain._type', 'invalid_filter'],
    [`${'{"not":'.repeat(6)}{}${'}'.repeat(6)}`, 'where.not.not.not.not.not.not', 'invalid_filter'],
    [`{"or":[${'{"name":{"eq":"a"}},'.repeat(10)}{"name":{"eq":"b"}}]}`, 'where', 'too_many'],
    [`{"crew":{"or":[${'{"name":{"eq":"a"}},'.repeat(10)}{"name":{"eq":"b"}}]}}`, 'where', 'too_many'],
    [`{"name":{"eq":"${'a'.repeat(1001)}"}}`, 'where.name.eq', 'too_big'],
    [`{"name":{"contains":"${'a'.repeat(4000)}"}}`, 'where', 'too_big'],
  ];

  it.each(rejected.map(([where, ...mistake]) => [...mistake, where]))(
    'names the mistake at %s as %s (case %#)',
    async (path, code, where) => {
      const query = `where=${encodeURIComponent(where)}`;
      const { delivery, management, keys } = harbour.desk.project;
      const paths: [string, string | undefined][] = [
        [`${delivery}/content/boat?${query}`, undefined],
        [`${delivery}/search?contentTypeApiName=boat&${query}`, undefined],
        [`${management}/entries?contentTypeApiName=boat&${query}`, keys.management],
        [`${management}/search?contentTypeApiName=boat&${query}`, keys.management],
      ];
      for (const [at, key] of paths) {
        const response = await send(app(), { method: 'GET', path: at, key });
        expect([at, outcome(response), issues(response)]).toEqual([
          at,
          [422, 'validation_failed'],
          [[path, code]],
        ]);
      }
    },
  );

  it('takes ten comparisons and five levels', async () => {
    const ten = Array.from({ length: 10 }, (_, at) => ({ size: { ne: at } }));
    await harbour.expectFound({ and: ten }, 'abcd');
    await harbour.expectFound({ not: { not: { not: { not: { not: { name: { eq: 'a' } } } } } } }, 'bcd');
  });

  it('needs one content type in harbour.lists of several', async () => {
    const { delivery, management, keys } = harbour.desk.project;
    for (const [path, key] of [
      [`${delivery}/search`, undefined],
      [`${management}/entries`, keys.management],
      [`${management}/search`, keys.management],
    ] as const) {
      const response = await send(app(), {
        method: 'GET',
        path: `${path}?${asWhere({ name: { eq: 'a' } })}`,
        key,
      });
      expect(issues(response)).toEqual([['where', 'content_type_required']]);
    }
  });
});
