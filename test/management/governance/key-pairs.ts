import type { DetectorName } from '../../../contracts/insight/governance/governance.js';
import type { Desk } from '../../support/desk.js';
import { calledFrom, key, later, management, ofAgent, used, year, type Fixture } from './fixtures.js';

/** Fixtures that raise an issue, with evidence, and some that do not. */
export interface Pair {
  readonly detector: DetectorName;
  readonly open?: () => Promise<Desk>;
  readonly raises: readonly (readonly [what: string, Fixture, evidence: object])[];
  readonly passes: readonly (readonly [what: string, Fixture])[];
}

/** Detectors whose subjects are keys. */
export const keyPairs: readonly Pair[] = [
  {
    detector: 'unrestricted_key',
    raises: [
      ['a key without permissions of an agent that only reads', ofAgent(management), { permissions: [] }],
      ['a key without permissions of an agent whose calls fail', ofAgent(management, 'get_site'), {}],
      [
        'a preview key without permissions',
        ofAgent({ type: 'preview', name: 'Reader', permissions: [] }),
        { type: 'preview' },
      ],
      ['a key for drafts only without permissions', ofAgent({ ...management, draftOnly: true }), {}],
    ],
    passes: [
      ['a key of an agent with permissions', ofAgent({ ...management, permissions: ['read'] })],
      ['a key that no agent uses', key(management)],
    ],
  },
  {
    detector: 'no_expiry_key',
    raises: [['a management key without an end', key(management), { type: 'management' }]],
    passes: [
      ['a delivery key, which reads what is public', key({ type: 'delivery' })],
      ['a key with an end', key({ ...management, expiresAt: later(year) })],
      ['a revoked key', key(management, 'revoked_at = now()')],
    ],
  },
  {
    detector: 'stale_key',
    raises: [
      [
        'a key last used a little more than 90 days ago',
        key(management, "last_used_at = now() - interval '90 days 1 minute'"),
        {},
      ],
      [
        'a key that was never used',
        key(management, "created_at = now() - interval '91 days'"),
        { lastUsedAt: null },
      ],
    ],
    passes: [
      [
        'a key used a little less than 90 days ago',
        key(management, "last_used_at = now() - interval '89 days 23:59'"),
      ],
      ['a new key', key(management)],
    ],
  },
  {
    detector: 'expiring_key',
    raises: [
      [
        'a key that expires a little before 14 days',
        key({ ...management, expiresAt: later(14 * 86_400_000 - 60_000) }),
        {},
      ],
    ],
    passes: [
      [
        'a key that expires a little after 14 days',
        key({ ...management, expiresAt: later(14 * 86_400_000 + 60_000) }),
      ],
      ['an expired key', key(management, "expires_at = now() - interval '1 day'")],
    ],
  },
  {
    detector: 'high_error_rate',
    raises: [
      [
        '5 failures of 20 calls in an hour',
        used({ ago: 3, calls: 15 }, { ago: 0, errors: 5 }),
        { calls: 20, errors: 5 },
      ],
    ],
    passes: [
      ['4 failures of 20 calls', used({ ago: 0, calls: 16, errors: 4 })],
      ['19 failures of 19 calls', used({ ago: 0, errors: 19 })],
      ['failures and other calls in different hours', used({ ago: 4, calls: 15 }, { ago: 0, errors: 5 })],
      ['failures 31 days ago', used({ ago: 31 * 96, errors: 30 })],
    ],
  },
  {
    detector: 'rate_limit_pressure',
    raises: [
      [
        '5 refusals in an hour',
        used({ ago: 3, rateLimited: 2 }, { ago: 0, rateLimited: 3 }),
        { rateLimited: 5 },
      ],
    ],
    passes: [
      ['4 refusals', used({ ago: 0, rateLimited: 4 })],
      ['5 refusals in different hours', used({ ago: 4, rateLimited: 2 }, { ago: 0, rateLimited: 3 })],
    ],
  },
  {
    detector: 'new_ip',
    raises: [
      [
        'a second address after 20 calls from the first',
        calledFrom(
          { address: '192.0.2.1', calls: 20, daysAgo: 2 },
          { address: '198.51.100.7', calls: 3, daysAgo: 1 },
        ),
        { addresses: [{ address: '198.51.100.7', calls: 3 }] },
      ],
      [
        'an address that comes back after 31 days',
        calledFrom(
          { address: '192.0.2.1', calls: 20, daysAgo: 40 },
          { address: '192.0.2.1', calls: 1, daysAgo: 1 },
        ),
        { addresses: [{ address: '192.0.2.1' }] },
      ],
    ],
    passes: [
      [
        'a second address after 19 calls',
        calledFrom(
          { address: '192.0.2.1', calls: 19, daysAgo: 2 },
          { address: '198.51.100.7', calls: 30, daysAgo: 1 },
        ),
      ],
      [
        'an address that comes back after 29 days',
        calledFrom(
          { address: '192.0.2.1', calls: 30, daysAgo: 30 },
          { address: '192.0.2.1', calls: 1, daysAgo: 1 },
        ),
      ],
      [
        'another address of the same IPv6 network',
        calledFrom(
          { address: '2001:db8::1', calls: 30, daysAgo: 2 },
          { address: '2001:db8::2', calls: 1, daysAgo: 1 },
        ),
      ],
    ],
  },
];
