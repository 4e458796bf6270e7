import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { clientAddress, type TrustedProxies } from '../../src/surfaces/http/client-address.js';
import { verifies } from '../support/verifies.js';

const from = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as unknown as IncomingMessage;

describe('Client address', () => {
  verifies('access/client-address');

  it.each<[TrustedProxies, string, string | undefined, string | null]>([
    // No proxy is trusted: forwarded addresses are ignored.
    [[], '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    [0, '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    [[], '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    [[], '2001:DB8:0:0::1', undefined, '2001:db8::1'],
    // A number of hops.
    [1, '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    [1, '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    [2, '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    [3, '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    [1, '10.0.0.1', undefined, '10.0.0.1'],
    // Networks: the last address outside them.
    [['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    [['10.0.0.0/8'], '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    [['fd00::/8'], 'fd00::1', '[2001:db8::5]:4711', '2001:db8::5'],
    [['10.0.0.0/8'], '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    [['10.0.0.0/8'], '10.0.0.1', '10.0.0.5, 10.0.0.4', '10.0.0.5'],
    // An invalid address ends the chain at the hop that sent it.
    [['10.0.0.0/8'], '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
    [1, '10.0.0.1', '', '10.0.0.1'],
  ])(
    'with trusted proxies %j, peer %s and X-Forwarded-For %j is %s',
    (trusted, remote, forwarded, expected) => {
      expect(clientAddress(from(remote, forwarded), trusted)).toBe(expected);
    },
  );
});
