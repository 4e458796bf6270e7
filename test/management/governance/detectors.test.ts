import { describe, expect, it } from '@jest/globals';
import { openDesk, useApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { article, change } from '../entries/history.js';
import { editorRole, member, moveTo } from '../workflows/definitions.js';
import { fc } from '../../support/properties.js';
import { analyze, found, happened, issuesOf, published, reviewedDesk } from './analyst.js';
import {
  approved,
  asset,
  burst,
  lastWednesday,
  minutesFrom,
  publishedOver,
  scheduled,
  translated,
  unknownKey,
  webhook,
} from './fixtures.js';
import { keyPairs, type Pair } from './key-pairs.js';
import { selfApproval } from './self-approval-pair.js';

const app = useApp();

const pairs: readonly Pair[] = [
  {
    detector: 'off_hours_activity',
    raises: [
      ['5 publications by a user from 5:00 on', minutesFrom(5, lastWednesday(5)), { count: 5 }],
      ['5 publications by a user from 22:00 on', minutesFrom(5, lastWednesday(22)), { count: 5 }],
    ],
    passes: [
      ['4 publications at night', minutesFrom(4, lastWednesday(3))],
      ['5 publications from 6:00 on', minutesFrom(5, lastWednesday(6))],
      ['5 publications from 21:00 on', minutesFrom(5, lastWednesday(21))],
      ['5 publications by a key at night', minutesFrom(5, lastWednesday(3), { type: 'api_key' })],
    ],
  },
  {
    detector: 'unreviewed_agent_publish',
    open: () => reviewedDesk(app()),
    raises: [
      ['an entry that an agent wrote and published', publishedOver('mcp'), { locales: [{ version: 1 }] }],
    ],
    passes: [
      ['an entry that a key published over REST', publishedOver('management')],
      [
        'an entry that a user approved before',
        publishedOver('mcp', async (desk, id) => {
          const user = await member(desk, await editorRole(desk));
          await moveTo(user.desk, id, 'review');
          await moveTo(user.desk, id, 'approved');
        }),
      ],
      [
        'an entry that a user wrote',
        publishedOver('mcp', async (desk, id) => {
          const user = await member(desk, await editorRole(desk));
          await change(user.desk, id, { fields: { title: 'By hand' } });
        }),
      ],
    ],
  },
  {
    detector: 'stale_translation_live',
    raises: [
      [
        'a live translation of an older source',
        translated(true),
        { locales: [{ locale: 'de', fields: ['title'] }] },
      ],
    ],
    passes: [
      ['a live translation of the present source', translated(false)],
      ['a stale translation that is not live', translated(true, false)],
    ],
  },
  {
    detector: 'missing_asset_file',
    raises: [['an asset whose file is missing', asset(true), {}]],
    passes: [['an asset with its file', asset(false)]],
  },
  {
    detector: 'skipped_workflow',
    open: () => reviewedDesk(app()),
    raises: [
      [
        'an entry published as a draft',
        (desk) => published(desk),
        {
          contentTypeApiName: 'article',
          locales: [{ locale: 'en', state: 'draft', workflow: 'editorial', version: 1 }],
        },
      ],
      [
        'an entry that was approved only after it was published',
        async (desk) => {
          const id = await published(desk);
          await moveTo(desk, id, 'review');
          await moveTo(desk, id, 'approved');
          return id;
        },
        { locales: [{ state: 'draft' }] },
      ],
    ],
    passes: [
      [
        'an approved entry that went back to review after it was published',
        async (desk) => {
          const id = await approved(desk, desk);
          await desk.post(`/entries/${id}/publish`, {});
          await moveTo(desk, id, 'review');
          return id;
        },
      ],
      ['a draft', async (desk) => (await article(desk)).id],
      [
        'an entry that is no longer live',
        async (desk) => {
          const id = await published(desk);
          await desk.post(`/entries/${id}/unpublish`, {});
          return id;
        },
      ],
    ],
  },
  {
    detector: 'bulk_delete_spike',
    raises: [
      ['21 deletions in 10 minutes', burst('entry.delete', 21, 30, 60), { count: 21 }],
      ['21 deletions of types', burst('custom_field_type.delete', 21, 1, 60), { count: 21 }],
    ],
    passes: [
      ['20 deletions in 10 minutes', burst('entry.delete', 20, 1, 60)],
      ['21 deletions in little more than 10 minutes', burst('media.delete', 21, 31, 60)],
      ['other changes', burst('entry.update', 30, 1, 60)],
      ['21 deletions 31 days ago', burst('entry.delete', 21, 1, 31 * 86_400)],
    ],
  },
  {
    detector: 'publish_spike',
    raises: [['51 publications in an hour', burst('entry.publish', 51, 72, 86_000), { count: 51 }]],
    passes: [
      ['50 publications in an hour', burst('entry.publish', 50, 1, 60)],
      ['51 publications in little more than an hour', burst('entry.publish', 51, 73, 60)],
    ],
  },
  {
    detector: 'failing_webhook',
    raises: [
      ['a failing webhook', webhook("health = 'failing', failing_since = now()"), { health: 'failing' }],
      ['a disabled webhook', webhook("health = 'disabled', enabled = false"), { health: 'disabled' }],
    ],
    passes: [['a healthy webhook', webhook("health = 'healthy'")]],
  },
  {
    detector: 'orphaned_webhook',
    raises: [
      [
        'a webhook of a key that is unknown',
        webhook(`owner_key_id = '${unknownKey}'`),
        { apiKeyId: unknownKey },
      ],
    ],
    passes: [
      ['a webhook of an active key', webhook('enabled = true')],
      ['a webhook of a user', webhook('owner_key_id = NULL')],
      ['a disabled webhook', webhook(`owner_key_id = '${unknownKey}', enabled = false`)],
    ],
  },
  {
    detector: 'orphaned_schedule',
    raises: [
      [
        'an entry with a waiting job of a key that is unknown',
        scheduled(`owner_key_id = '${unknownKey}'`),
        { jobs: [{ apiKeyId: unknownKey, kind: 'publish', locale: 'en' }] },
      ],
    ],
    passes: [
      ['a job of an active key', scheduled("timezone = 'UTC'")],
      ['a job of a user', scheduled('owner_key_id = NULL')],
      ['a canceled job', scheduled(`owner_key_id = '${unknownKey}', status = 'canceled'`)],
    ],
  },
];

describe.each([...pairs, ...keyPairs, selfApproval(() => reviewedDesk(app()))])(
  'Detector $detector',
  ({ detector, raises, passes, open = () => openDesk(app()) }) => {
    verifies('governance/detectors');

    it.each(raises)('raises an issue for %s', async (_what, fixture, evidence) => {
      const desk = await open();
      const id = await fixture(desk);
      const issue = await found(desk, detector, id);
      expect(issue).toMatchObject({ detector, status: 'open', subject: { id }, evidence });
      expect(issue?.message).toContain(issue?.subject.name ?? 'no issue');
    });

    it.each(passes)('raises none for %s', async (_what, fixture) => {
      const desk = await open();
      expect(await found(desk, detector, await fixture(desk))).toBeUndefined();
    });
  },
);

describe('Self approval', () => {
  verifies('governance/detectors');

  it('ends when another user approves the next version', async () => {
    const desk = await reviewedDesk(app());
    const id = await approved(desk, desk);
    expect(await found(desk, 'self_approval', id)).toMatchObject({ status: 'open' });
    await change(desk, id, { fields: { title: 'Again' } });
    await moveTo(desk, id, 'review');
    await moveTo((await member(desk, await editorRole(desk))).desk, id, 'approved');
    expect(await found(desk, 'self_approval', id)).toMatchObject({ status: 'resolved', resolvedBy: null });
  });
});

describe('Bulk delete spikes', () => {
  verifies('governance/detectors');

  it('are those that a recount of all records finds, in whatever steps they are looked for', async () => {
    const desk = await openDesk(app());
    const start = Date.now() - 7_200_000;
    const seconds = fc.array(fc.integer({ min: 0, max: 1800 }), { minLength: 40, maxLength: 70 });
    const cases = fc.sample(seconds, 6).map((some) => some.sort((one, other) => one - other));
    const ids = cases.map((_, index) => `019a3b5e-7c1a-7f00-8000-3f1d2c4b5b0${String(index)}`);
    for (const [index, some] of cases.entries()) {
      const at = some.map((second) => new Date(start + second * 1000));
      const actor = { type: 'user', id: ids[index] ?? '', name: 'Ann' };
      await happened(desk, { action: 'entry.delete', at, actor });
    }
    for (const [from, to] of [
      [-1, 500],
      [500, 1200],
      [1200, 1900],
    ] as const) {
      const range = { from: new Date(start + from * 1000), to: new Date(start + to * 1000) };
      await analyze(desk, { ...range, detectors: ['bulk_delete_spike'] });
    }
    const spikes = cases.map((some) => {
      const counts = some.map((end) => some.filter((second) => second >= end - 600 && second <= end).length);
      const last = counts.findLastIndex((count) => count > 20);
      return last < 0 ? undefined : [counts[last], new Date(start + (some[last] ?? 0) * 1000).toISOString()];
    });
    const issues = await issuesOf(desk, '&detector=bulk_delete_spike');
    const bySubject = new Map(
      issues.map(({ subject, count, lastSeenAt }) => [subject.id, [count, lastSeenAt]]),
    );
    expect(ids.map((id) => bySubject.get(id))).toEqual(spikes);
    expect(bySubject.size).toBeGreaterThan(0);
  });
});
