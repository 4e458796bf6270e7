import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { htmlToRichText } from '../../../src/content/rich-text/html/html-to-rich-text.js';
import { drawChart } from '../../../src/features/insight/reports/charts/draw-chart.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { fc } from '../../support/properties.js';
import { verifies } from '../../support/verifies.js';
import { define } from '../custom-reports/desk.js';
import { xmlFaults } from './well-formed.js';

const app = useApp();

const HOSTILE = '<script>alert(1)</script>&"\u00A0=1';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(app());
  for (const title of [HOSTILE, HOSTILE, '日本語']) {
    const fields = { title };
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
    expect((await desk.post(`/entries/${id}/publish`, {})).status).toBe(200);
  }
});

/** The document that a report returns, which scripts and requests nothing. */
async function svgOf(path: string): Promise<string> {
  const response = await desk.get(path);
  expect(outcome({ ...response, body: {} } as typeof response)).toEqual([200, undefined]);
  expect(response.headers['content-type']).toBe('image/svg+xml; charset=utf-8');
  expect(response.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+\.svg"$/);
  const svg = (response.body as Buffer).toString('utf8');
  expect(await xmlFaults(svg)).toEqual([]);
  const others = svg.replace('xmlns="http://www.w3.org/2000/svg"', '');
  expect(others).not.toMatch(/<script|<foreignObject|<image|<use|href|url\(|@import|https?:|\son\w+=/);
  return svg;
}

interface Picture {
  /** The colour of a corner. */
  readonly corner: string;
  readonly colours: number;
}

async function pictureOf(svg: string): Promise<Picture> {
  const { data, info } = await sharp(Buffer.from(svg))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colours = new Set<string>();
  for (let at = 0; at < data.length; at += info.channels)
    colours.add(data.subarray(at, at + 3).toString('hex'));
  return { corner: data.subarray(0, 3).toString('hex'), colours: colours.size };
}

describe('A report as a chart', () => {
  verifies('reports/charts');

  it.each(['publishing-activity', 'content-health', 'schema-usage', 'user-activity', 'agent-activity'])(
    'is an SVG document in light and dark colours: %s',
    async (name) => {
      const path = `/reports/${name}?format=svg`;
      expect(await svgOf(path)).toContain('@media (prefers-color-scheme:dark)');
      const light = await pictureOf(await svgOf(`${path}&theme=light`));
      const dark = await pictureOf(await svgOf(`${path}&theme=dark`));
      expect([light.corner, dark.corner]).toEqual(['ffffff', '15191e']);
      expect(Math.min(light.colours, dark.colours)).toBeGreaterThan(10);
    },
  );

  it('shows the colour of each number that it has', async () => {
    const svg = await svgOf('/reports/publishing-activity?format=svg&theme=light');
    for (const key of ['published', 'unpublished', 'scheduled', 'failed']) expect(svg).toContain(`>${key}<`);
    expect(svg.match(/stroke="#[0-9a-f]{6}"/g)).toHaveLength(4);
  });
});

describe('A custom report as a chart', () => {
  verifies('reports/charts');

  const article = {
    source: 'entries',
    name: HOSTILE,
    filters: { contentTypeApiName: ['article'] },
    visibility: 'shared',
  };

  it.each([
    ['bar', ['fields.title']],
    ['pie', ['fields.title', 'status']],
    ['line', ['date', 'fields.title']],
    ['table', []],
  ])('is drawn as a %s', async (chart, groupBy) => {
    const { id } = await define(desk, { ...article, chart, groupBy });
    const svg = await svgOf(`/custom-reports/${id}/run?format=svg&theme=dark`);
    expect(svg).toContain('&lt;script&gt;');
    const { corner, colours } = await pictureOf(svg);
    expect([corner, colours > 10]).toEqual(['15191e', true]);
  });

  it('says that there is no data, or nothing with numbers', async () => {
    const drafts = { ...article, filters: { contentTypeApiName: ['article'], status: ['draft'] } };
    const times = { metrics: [{ op: 'max', field: 'createdAt' }], groupBy: ['status'] };
    for (const body of [
      { ...drafts, groupBy: ['locale'] },
      { ...article, ...times },
      { ...drafts, chart: 'pie' },
    ])
      expect(await svgOf(`/custom-reports/${(await define(desk, body)).id}/run?format=svg`)).toContain(
        'No data.',
      );
  });

  it('is CSV that no spreadsheet runs, in any script', async () => {
    await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: '=HYPERLINK("http://x", "y")' },
    });
    const { id } = await define(desk, { ...article, groupBy: ['fields.title'] });
    const response = await desk.get(`/custom-reports/${id}/run?format=csv`);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.text.split('\r\n')).toEqual([
      'fields.title,count',
      `"${HOSTILE.replaceAll('"', '""')}",2`,
      `"'=HYPERLINK(""http://x"", ""y"")",1`,
      '日本語,1',
      '',
    ]);
    const named = await define(desk, { ...article, groupBy: ['contentTypeApiName', 'siteId'] });
    const table = (await desk.get(`/custom-reports/${named.id}/run?format=csv`)).text;
    expect(table.split('\r\n').slice(0, 2)).toEqual([
      'contentTypeApiName,contentTypeApiName name,siteId,siteId name,count',
      `article,Type,${desk.project.siteId},Main,4`,
    ]);
  });
});

describe('A drawing', () => {
  verifies('reports/charts');

  it('is drawn in a process that has converted HTML', async () => {
    expect(htmlToRichText('<p>before</p>').content).toHaveLength(1);
    const points = [{ x: 'a', series: 'count', y: 1 }];
    const svg = await drawChart({ title: 'One', kind: 'bar', isDated: false, points }, 'light');
    expect(await xmlFaults(svg)).toEqual([]);
  });

  it('is well formed whatever its labels are, and says what it leaves out', async () => {
    const kinds = fc.constantFrom<'bar' | 'line' | 'pie'>('bar', 'line', 'pie');
    const point = fc.record({
      x: fc.string({ unit: 'binary', maxLength: 50 }),
      series: fc.string({ unit: 'binary', maxLength: 50 }),
      y: fc.double({ noNaN: true, min: -1e12, max: 1e12 }),
    });
    const property = fc.asyncProperty(
      kinds,
      fc.array(point, { maxLength: 12 }),
      fc.string({ unit: 'binary' }),
      async (kind, points, title) => {
        const svg = await drawChart({ title, kind, isDated: false, points }, 'auto');
        expect([await xmlFaults(svg), svg]).toEqual([[], expect.any(String)]);
      },
    );
    await fc.assert(property, { numRuns: 15 });
    const points = Array.from({ length: 50 }, (_, x) => ({ x: String(x), series: 'count', y: x + 1 }));
    const svg = await drawChart({ title: 'Many', kind: 'bar', isDated: false, points }, 'light');
    expect(svg).toContain('20 more not shown.');
  });
});
