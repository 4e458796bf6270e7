import { beforeAll, describe, expect, it } from '@jest/globals';
import { column, issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createMember, createRole, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { define, post } from './desk.js';

const app = useApp();

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(app());
});

const memberDesk = async (slug: string): Promise<Desk> => {
  const role = await systemRoleId(app(), desk.project, slug);
  return desk.as((await createMember(app(), desk.project, [role])).token);
};

const actionsOn = async (id: string): Promise<string[]> => {
  const { body } = await desk.get(`/audit-events?targetId=${id}`);
  return (body.data as { action: string }[]).map(({ action }) => action).reverse();
};

describe('Custom reports', () => {
  verifies('reports/custom', 'reports/custom-limits');

  it('are private unless shared, and changed by their creator only', async () => {
    const editor = await memberDesk('editor');
    const viewer = await memberDesk('viewer');
    const hidden = await define(editor, { source: 'entries', description: 'Of one editor.' });
    const shared = await define(editor, { source: 'entries', name: 'Live', visibility: 'shared' });
    expect(column(await editor.get('/custom-reports?orderBy=createdAt:asc'), 'id')).toEqual([
      hidden.id,
      shared.id,
    ]);
    expect(column(await viewer.get('/custom-reports'), 'id')).toEqual([shared.id]);
    expect(column(await viewer.get('/custom-reports?q=liv'), 'id')).toEqual([shared.id]);
    expect((await viewer.get(`/custom-reports/${shared.id}`)).body.data).toEqual(shared);
    for (const path of [hidden.id, `${hidden.id}/run`, 'x', 'x/run'])
      expect(outcome(await viewer.get(`/custom-reports/${path}`))).toEqual([404, 'custom_report_not_found']);
    const other = await memberDesk('admin');
    expect(outcome(await other.put(`/custom-reports/${shared.id}`, { name: 'Taken' }))).toEqual([
      403,
      'not_report_owner',
    ]);
    expect(outcome(await other.delete(`/custom-reports/${shared.id}`))).toEqual([403, 'not_report_owner']);
    expect(outcome(await post(viewer, { source: 'entries' }))).toEqual([403, 'permission_denied']);
  });

  it('take values of filters as text with commas, as lists do', async () => {
    const report = await define(desk, {
      source: 'entries',
      filters: { contentTypeApiName: 'article,author' },
    });
    expect(report.filters).toEqual({ contentTypeApiName: ['article', 'author'] });
    const path = `/custom-reports/${report.id}`;
    const changed = await desk.put(path, { filters: { status: 'draft', locale: ['en'] } });
    expect(changed.body.data.filters).toEqual({ status: ['draft'], locale: ['en'] });
    const texts = await define(desk, {
      source: 'entries',
      filters: { contentTypeApiName: 'article', 'fields.title': 'Lock\\, weir,Canal' },
    });
    expect(texts.filters).toHaveProperty(['fields.title'], ['Lock, weir', 'Canal']);
    const many = { siteId: Array.from({ length: 101 }, () => 'x').join(',') };
    expect(issues(await desk.put(path, { filters: many }))).toEqual([['filters.siteId', 'custom']]);
  });

  it('are updated and deleted with an audit record each', async () => {
    const { id } = await define(desk, { source: 'entries', groupBy: ['status'], chart: 'pie' });
    const changes = {
      range: { days: 7, granularity: 'week', timezone: 'Asia/Kathmandu' },
      chart: 'line',
      groupBy: ['date'],
    };
    const changed = await desk.put(`/custom-reports/${id}`, changes);
    expect(changed.body.data).toMatchObject({
      chart: 'line',
      groupBy: ['date'],
      range: { days: 7, granularity: 'week', timezone: 'Asia/Kathmandu' },
    });
    expect((await desk.put(`/custom-reports/${id}`, changes)).body.data).toEqual(changed.body.data);
    expect((await desk.put(`/custom-reports/${id}`, { range: null })).body.data.range).toBeNull();
    expect((await desk.delete(`/custom-reports/${id}`)).body.data).toEqual({ id, deleted: true });
    expect(outcome(await desk.get(`/custom-reports/${id}`))).toEqual([404, 'custom_report_not_found']);
    expect(await actionsOn(id)).toEqual([
      'custom_report.create',
      'custom_report.update',
      'custom_report.update',
      'custom_report.delete',
    ]);
  });

  it('refuse what their source does not have, with its path', async () => {
    const product = { source: 'entries', filters: { contentTypeApiName: ['article'] } };
    const faults: [object, [string, string]][] = [
      [{ source: 'entries', groupBy: ['status', 'locale', 'siteId'] }, ['groupBy', 'too_big']],
      [{ source: 'entries', groupBy: ['colour'] }, ['groupBy.0', 'unknown_key']],
      [{ source: 'agents', groupBy: ['status'] }, ['groupBy.0', 'unknown_key']],
      [{ source: 'audit', groupBy: ['fields.title'] }, ['groupBy.0', 'unknown_key']],
      [{ source: 'entries', groupBy: ['status', 'status'] }, ['groupBy.1', 'duplicate']],
      [{ source: 'entries', groupBy: ['constructor'] }, ['groupBy.0', 'unknown_key']],
      [{ source: 'entries', filters: { date: ['2027-01-01'] } }, ['filters.date', 'unknown_key']],
      [{ source: 'entries', filters: { siteId: [] } }, ['filters.siteId', 'too_small']],
      [
        { source: 'entries', groupBy: ['fields.title'] },
        ['filters.contentTypeApiName', 'content_type_required'],
      ],
      [{ ...product, groupBy: ['fields.none'] }, ['groupBy.0', 'unknown_field']],
      [{ ...product, groupBy: ['fields.body'] }, ['groupBy.0', 'invalid_field']],
      [{ ...product, groupBy: ['fields.__proto__'] }, ['groupBy.0', 'unknown_field']],
      [{ source: 'entries', metrics: [] }, ['metrics', 'too_small']],
      [{ source: 'entries', metrics: [{ op: 'median' }] }, ['metrics.0.op', 'invalid_value']],
      [{ source: 'entries', metrics: [{ op: 'sum' }] }, ['metrics.0.field', 'invalid_metric']],
      [{ source: 'entries', metrics: [{ op: 'count', field: 'at' }] }, ['metrics.0.field', 'invalid_metric']],
      [{ source: 'audit', metrics: [{ op: 'avg', field: 'at' }] }, ['metrics.0.field', 'invalid_metric']],
      [{ source: 'agents', metrics: [{ op: 'max', field: 'calls' }] }, ['metrics.0.field', 'invalid_metric']],
      [
        { ...product, metrics: [{ op: 'sum', field: 'fields.title' }] },
        ['metrics.0.field', 'invalid_metric'],
      ],
      [{ source: 'entries', metrics: [{ op: 'count' }, { op: 'count' }] }, ['metrics.1', 'duplicate']],
      [{ source: 'orders' }, ['source', 'invalid_value']],
      [{ source: 'entries', chart: 'radar' }, ['chart', 'invalid_value']],
      [{ source: 'entries', range: { days: 500 } }, ['range.days', 'too_big']],
      [{ source: 'entries', range: { days: 5, from: '2027-01-01T00:00:00Z' } }, ['range.days', 'custom']],
      [{ source: 'entries', range: { timezone: 'Mars/Olympus' } }, ['range.timezone', 'custom']],
      [{ source: 'entries', range: { from: '2020-01-01T00:00:00Z' } }, ['from', 'too_big']],
    ];
    for (const [body, issue] of faults)
      expect([body, issues(await post(desk, body))]).toEqual([body, [issue]]);
    const { id } = await define(desk, { source: 'entries', groupBy: ['status'] });
    expect(issues(await desk.put(`/custom-reports/${id}`, { source: 'agents' }))).toEqual([
      ['groupBy.0', 'unknown_key'],
    ]);
  });

  it('refuse what does not exist', async () => {
    const codes = ['site_not_found', 'content_type_not_found', 'locale_not_found'];
    const filters = [{ siteId: ['x'] }, { contentTypeApiName: ['none'] }, { locale: ['xx'] }];
    const results = await Promise.all(filters.map((one) => post(desk, { source: 'entries', filters: one })));
    expect(results.map(outcome)).toEqual(codes.map((code) => [404, code]));
  });

  it('belong to no site, so that permissions for one do not reach them', async () => {
    const scope = { siteIds: [desk.project.siteId] };
    const roleId = await createRole(app(), desk.project, [
      { resource: 'reports', action: 'read' },
      { resource: 'reports', action: 'create', scope },
      { resource: 'entries', action: 'read' },
    ]);
    const member = desk.as((await createMember(app(), desk.project, [roleId])).token);
    expect(outcome(await post(member, { source: 'entries' }))).toEqual([403, 'permission_denied']);
    const { secret } = await desk.newKey({ type: 'management', siteIds: [desk.project.siteId] });
    expect(outcome(await post(desk.as(secret), { source: 'entries' }))).toEqual([403, 'permission_denied']);
  });

  it('of audit records need permission to read these', async () => {
    const editor = await memberDesk('editor');
    expect(outcome(await post(editor, { source: 'audit' }))).toEqual([403, 'permission_denied']);
    const { id } = await define(desk, { source: 'audit', visibility: 'shared' });
    expect(outcome(await editor.get(`/custom-reports/${id}/run`))).toEqual([403, 'permission_denied']);
    expect(outcome(await desk.get(`/custom-reports/${id}/run`))).toEqual([200, undefined]);
  });
});
