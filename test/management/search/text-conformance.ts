import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { column, openDesk } from '../../support/desk.js';
import { paragraphs, publish } from '../../support/factories/content.js';
import { article, change } from '../entries/history.js';
import { find, indexAll, titles, translated, type SearchScene } from './scene.js';
import { inLongRun } from '../../support/extent.js';

/** How every provider finds text. Call it inside a suite. */
export function findsText({ app }: SearchScene): void {
  const indexed = () => indexAll(app());

  it('finds words of every field, in any of their forms', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Rivers', body: paragraphs('Barges are waiting at the upper lock.') });
    await article(desk, { title: 'Roads', code: 'A-113' });
    expect(await titles(desk, 'river')).toEqual(['Rivers']);
    expect(await titles(desk, 'wait barge')).toEqual(['Rivers']);
    expect(await titles(desk, 'a113 OR a-113')).toEqual(['Roads']);
    expect(await titles(desk, 'harbour')).toEqual([]);
  });

  it('tolerates case, missing accents, unfinished words and typing errors', async () => {
    const desk = await openDesk(app(), { locales: ['en', 'de', 'fr', 'tr'] });
    await translated(desk, { en: 'Lock keepers', de: 'Schleusenwärter', fr: 'Éclusiers', tr: 'IŞIK kapısı' });
    expect(await titles(desk, 'schleusenwarter')).toEqual(['Schleusenwärter']);
    expect(await titles(desk, 'SCHLEUSENW')).toEqual(['Schleusenwärter']);
    expect(await titles(desk, 'Schluesenwärter')).toEqual(['Schleusenwärter']);
    expect(await titles(desk, 'eclusier')).toEqual(['Éclusiers']);
    expect(await titles(desk, 'ışık', 'locale=tr')).toEqual(['IŞIK kapısı']);
    expect(await titles(desk, 'loock keper')).toEqual(['Lock keepers']);
  });

  it('finds phrases, alternatives and what lacks a word', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'The package manager' });
    await article(desk, { title: 'The manager of a package', body: paragraphs('One package, one manager.') });
    await article(desk, { title: 'Packages and their managers' });
    await article(desk, { title: 'A harbour master' });
    expect(await titles(desk, '"package manager"')).toEqual(['The package manager']);
    expect(await titles(desk, '„Package Mánager“ the ')).toEqual(['The package manager']);
    expect(await titles(desk, '"package manager" harbour')).toEqual([]);
    expect(await titles(desk, 'package -"package manager" -managers')).toEqual([]);
    expect(await titles(desk, 'package -"package manager" -harbour', 'sort=title:asc')).toEqual([
      'Packages and their managers',
      'The manager of a package',
    ]);
    expect(await titles(desk, '-package', 'sort=title:asc')).toEqual(['A harbour master']);
    expect(await titles(desk, 'harbour OR "of a package"', 'sort=title:asc')).toEqual([
      'A harbour master',
      'The manager of a package',
    ]);
    expect(await titles(desk, 'master lock OR harbour OR weir')).toEqual(['A harbour master']);
    expect(await titles(desk, 'harbuor OR weir ')).toEqual(['A harbour master']);
  });

  it('finds phrases in texts without spaces', async () => {
    const desk = await openDesk(app(), { locales: ['en', 'ja'] });
    await translated(desk, { en: 'Gates', ja: '水門 manual と東京都' });
    await translated(desk, { en: 'Towers', ja: '門水 manual' });
    expect(await titles(desk, '"水門 manual"')).toEqual(['水門 manual と東京都']);
    expect(await titles(desk, '"manual と"')).toEqual(['水門 manual と東京都']);
    expect(await titles(desk, '"東京" -門水')).toEqual(['水門 manual と東京都']);
    expect(await titles(desk, 'manual -水門')).toEqual(['門水 manual']);
  });

  it('reads every query, however it is written', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Lock' });
    await indexed();
    const hostile = [
      ...['"', '""', '"" lock', '-', '--', '- lock', '-"', '-"lock', '"-lock"', 'OR', 'OR OR', 'OR OR OR'],
      ...['lock OR', 'OR lock', 'lock OR -', 'lock OR -weir', 'lock OR OR weir', '-OR', '-lock OR -weir'],
      ...[
        "'; DROP TABLE x; --",
        '& | ! <-> :*',
        "lock:*A & 'x",
        '\\',
        '"\\"',
        "'",
        "''",
        '(lock',
        ')',
        '%00',
      ],
      ...[
        '"„“”«»',
        '„'.repeat(1000),
        '-'.repeat(1000),
        '"'.repeat(1000),
        '-a '.repeat(333),
        'a OR '.repeat(200),
      ],
      ...[
        '"a '.repeat(333),
        '-"a b" '.repeat(140),
        '"lock" OR '.repeat(100),
        '水'.repeat(1000),
        '水 '.repeat(500),
      ],
      ...['a\u0301'.repeat(500), '\ud800 lock', 'ﷺ'.repeat(1000), '=lock', '\u200b"\u200b"', '"水" "門"'],
    ];
    for (const q of hostile)
      for (const rest of ['highlight=true', 'sort=title:asc&facets=status'])
        expect([q, (await find(desk, `${new URLSearchParams({ q }).toString()}&${rest}`)).status]).toEqual([
          q,
          200,
        ]);
    expect(await titles(desk, 'lock OR')).toEqual(['Lock']);
    expect(await titles(desk, '"lock')).toEqual(['Lock']);
    expect(await titles(desk, '--lock')).toEqual(['Lock']);
  });

  it('corrects two wrong letters of words from eight letters on, and suggests what is meant', async () => {
    const desk = await openDesk(app(), { locales: ['en', 'de'] });
    await translated(desk, { en: 'Concerto', de: 'Überraschung' });
    await translated(desk, { en: 'Crossing', de: 'Kreuzung' });
    await translated(desk, { en: 'Lock', de: 'Tor' });
    const suggestion = async (q: string, rest = ''): Promise<unknown> =>
      (await find(desk, `${new URLSearchParams({ q }).toString()}&${rest}`)).body.meta.suggestion;
    for (const [typed, title] of [
      ['cancarto', 'Concerto'],
      ['cnocetro', 'Concerto'],
      ['conccertto', 'Concerto'],
      ['onceto', 'Concerto'],
      ['crusseng', 'Crossing'],
      ['xyossing', 'Crossing'],
      ['crossigg', 'Crossing'],
      ['loock', 'Lock'],
    ] as const) {
      const isShort = typed === 'onceto';
      expect([typed, await titles(desk, typed)]).toEqual([typed, isShort ? [] : [title]]);
      expect([typed, await suggestion(typed)]).toEqual([
        typed,
        isShort ? undefined : { q: title.toLowerCase(), total: 1 },
      ]);
    }
    expect(await titles(desk, 'luuk')).toEqual([]);
    expect(await suggestion('lock')).toBeUndefined();
    expect(await suggestion('"lock" -weir Uberrasschung')).toBeUndefined();
    expect(await suggestion('-weir Uberrasschung')).toEqual({ q: '-weir überraschung', total: 1 });
    expect(await suggestion('crusseng', 'page=2')).toBeUndefined();
    expect(await suggestion('crusseng', 'locale=de')).toBeUndefined();
  });

  it('suggests what finds ten times as much', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'A hrabour' });
    const suggestion = async (): Promise<unknown> =>
      (await find(desk, 'q=the%20hrabour%20')).body.meta.suggestion;
    for (let count = 1; count <= 10; count += 1) {
      await article(desk, { title: `The harbour ${String(count)}` });
      await indexed();
      expect(await suggestion()).toEqual(count < 10 ? undefined : { q: 'the harbour ', total: 10 });
    }
    expect(await titles(desk, 'hrabour')).toEqual(['A hrabour']);
  });

  it('finds parts of compounds, compounds of parts and letters that are spelled out', async () => {
    const desk = await openDesk(app(), { locales: ['de', 'da', 'en'] });
    await translated(desk, { de: 'Schleusenwärterhäuser', da: 'Skibsværft i Aarhus', en: 'Beforehand' });
    await translated(desk, { de: 'Karten für das Netzwerk', da: 'Tromsø', en: 'Poet' });
    await translated(desk, { de: 'Verstand und Natur', da: 'Århus', en: 'Pot' });
    expect(await titles(desk, 'wärter', 'locale=de')).toEqual(['Schleusenwärterhäuser']);
    expect(await titles(desk, 'Waerter', 'locale=de')).toEqual(['Schleusenwärterhäuser']);
    expect(await titles(desk, 'schleuse', 'locale=de')).toEqual(['Schleusenwärterhäuser']);
    expect(await titles(desk, 'Netzwerkkarten', 'locale=de')).toEqual(['Karten für das Netzwerk']);
    expect(await titles(desk, 'stand ', 'locale=de')).toEqual([]);
    expect(await titles(desk, 'tür ', 'locale=de')).toEqual([]);
    expect(await titles(desk, 'værft', 'locale=da')).toEqual(['Skibsværft i Aarhus']);
    expect((await titles(desk, 'Aarhus', 'locale=da')).sort()).toEqual(['Skibsværft i Aarhus', 'Århus']);
    expect((await titles(desk, 'århus', 'locale=da')).sort()).toEqual(['Skibsværft i Aarhus', 'Århus']);
    expect(await titles(desk, 'tromsoe', 'locale=da')).toEqual(['Tromsø']);
    expect(await titles(desk, 'poet', 'locale=en')).toEqual(['Poet']);
    expect(await titles(desk, 'pot ', 'locale=en')).toEqual(['Pot']);
    expect(await titles(desk, 'hand ', 'locale=en')).toEqual([]);
    const [result] = (await find(desk, 'q=waerter&locale=de&highlight=true')).body.data;
    expect(result.highlights.title).toEqual(['<em>Schleusenwärterhäuser</em>']);
  });

  it('finds parts of texts without spaces, and words from right to left', async () => {
    const desk = await openDesk(app(), { locales: ['en', 'ja', 'zh-CN', 'ko', 'ar'] });
    await translated(desk, {
      en: 'Water gates',
      ja: '東京都の水門と東京タワー',
      'zh-CN': '上游水闸',
      ko: '수문을 여는 방법',
      ar: 'بوّابات المياه',
    });
    expect(await titles(desk, '水門')).toEqual(['東京都の水門と東京タワー']);
    expect(await titles(desk, '水闸', 'locale=zh-CN')).toEqual(['上游水闸']);
    expect(await titles(desk, '闸')).toEqual(['上游水闸']);
    expect(await titles(desk, '수문')).toEqual(['수문을 여는 방법']);
    expect(await titles(desk, 'بوابات')).toEqual(['بوّابات المياه']);
  });

  it('ranks titles before other text and rich text, phrases before words, and the last updated first', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Rich', body: paragraphs('The upper lock') });
    await article(desk, { title: 'Text', code: 'upper lock' });
    await article(desk, { title: 'The lock that is upper' });
    await article(desk, { title: 'An upper lock' });
    await article(desk, { title: 'Upper lock' });
    const expected = ['Upper lock', 'An upper lock', 'The lock that is upper', 'Text', 'Rich'];
    expect(await titles(desk, 'upper lock ')).toEqual(expected);
    await article(desk, { title: 'Twin' });
    await article(desk, { title: 'Twin' });
    await indexed();
    const times = column(await find(desk, 'q=twin'), 'updatedAt');
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('finds what any word of a long question names if nothing has all of them', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Opening hours of the lock' });
    await article(desk, { title: 'Prices of berths' });
    expect(await titles(desk, 'what does it cost to open a lock at midnight')).toEqual([
      'Opening hours of the lock',
    ]);
  });

  it('follows changes, publications, deletions and what assets are called', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Barge' });
    expect(await titles(desk, 'barge')).toEqual(['Barge']);
    await change(desk, id, { fields: { title: 'Ferry' } });
    expect(await titles(desk, 'barge')).toEqual([]);
    await publish(app(), desk.project, id);
    await indexed();
    expect(column(await find(desk, 'q=ferry'), 'status')).toEqual(['published']);
    const { version } = (await desk.get(`/entries/${id}`)).body.data as { version: number };
    await desk.delete(`/entries/${id}?version=${String(version)}`);
    expect(await titles(desk, 'ferry')).toEqual([]);
  });

  it('returns parts of the text without markup of the content', async () => {
    const desk = await openDesk(app());
    const body = paragraphs(
      `Before <script>alert(1)</script> the "upper" locks & others ${'x '.repeat(200)}`,
    );
    await article(desk, { title: 'A <b>lock</b>', body });
    await indexed();
    const [result] = (await find(desk, 'q=lock&highlight=true')).body.data;
    expect(result.highlights.title).toEqual(['A &lt;b&gt;<em>lock</em>&lt;/b&gt;']);
    expect(result.highlights.body[0]).toContain(
      'Before &lt;script&gt;alert(1)&lt;/script&gt; the &quot;upper&quot; <em>locks</em> &amp; others',
    );
    expect(result.highlights.body[0].endsWith('…')).toBe(true);
    expect((await find(desk, 'q=lock')).body.data[0]).not.toHaveProperty('highlights');
    expect(column(await find(desk, 'q=%22upper%20locks%22%20-weir&highlight=true'), 'highlights')).toEqual([
      { body: [expect.stringContaining('the &quot;<em>upper&quot; locks</em> &amp; others')] },
    ]);
  });

  it('indexes each entry once in simultaneous runs, and removes deleted entries', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Once' });
    const counts = await Promise.all([indexed(), indexed(), indexed()]);
    await indexed();
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(0);
    expect(await titles(desk, 'once')).toEqual(['Once']);
    expect(await indexed()).toBe(0);
  });

  inLongRun(() => {
    it('indexes entries that are too large for one transaction, all of them', async () => {
      const desk = await openDesk(app());
      const known: string[] = [];
      for (let index = 0; index < 6; index += 1) {
        const words =
          randomBytes(75_000)
            .toString('hex')
            .match(/.{1,30}/g) ?? [];
        known.push(words.at(-2) ?? '');
        await article(desk, { title: `Large ${String(index)}`, body: paragraphs(words.join(' ')) });
      }
      expect((await titles(desk, 'large')).sort()).toEqual(known.map((_, index) => `Large ${String(index)}`));
      for (const [index, word] of known.entries())
        expect(await titles(desk, `${word} `)).toEqual([`Large ${String(index)}`]);
    }, 120_000);
  });

  it('counts, pages and facets what very many entries have', async () => {
    const desk = await openDesk(app());
    const newArticle = { action: 'create', contentTypeApiName: 'article', siteId: desk.project.siteId };
    const word = `w${randomBytes(6).toString('hex')}`;
    for (let batch = 0; batch < 11; batch += 1) {
      const items = Array.from({ length: 100 }, (_, index) => ({
        ...newArticle,
        fields: { title: `${word} ${String(batch * 100 + index)}` },
      }));
      expect((await desk.post('/entries/batch', { items })).body.data.succeeded).toBe(100);
    }
    await indexed();
    const { body } = await find(desk, `q=${word}%20&facets=contentType&limit=100&page=11`);
    expect([body.data.length, body.meta.total]).toEqual([100, 1100]);
    expect(body.meta.facets).toEqual({ contentType: { article: 1100 } });
    expect((await find(desk, `q=${word}%20107`)).body.meta.total).toBe(11);
  });
}
