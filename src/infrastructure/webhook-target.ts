import ipaddr from 'ipaddr.js';

/** All public IPv6 addresses are in this block. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

function parsed(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = address.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}

/** URLs normalize every spelling of IPv4 to dotted decimals. */
export const isAddress = (host: string): boolean => parsed(host) !== undefined;

const isLoopbackAddress = (address: string): boolean => parsed(address)?.range() === 'loopback';

/**
 * False for private, loopback, link-local (metadata services), multicast and reserved addresses, and for IPv6 forms
 * that embed IPv4.
 */
export function isPublicAddress(address: string): boolean {
  const ip = parsed(address);
  if (ip?.range() !== 'unicast') return false;
  return ip instanceof ipaddr.IPv4 || ip.match(GLOBAL_UNICAST);
}

export interface TargetRules {
  /** Permits loopback, also over http: for development and tests. */
  readonly allowLoopback: boolean;
}

/** Names that resolve to this machine or network. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|localdomain|home\.arpa)\.?$/i;
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

export const isReachableAddress = (address: string, { allowLoopback }: TargetRules): boolean =>
  isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));

/** A name or address of this machine. */
export const isLoopbackHost = (host: string): boolean => LOCALHOST.test(host) || isLoopbackAddress(host);

/** Why a URL is no webhook target, before its name is resolved; undefined if it is one. */
export function targetProblem(given: string, rules: TargetRules): string | undefined {
  const url = URL.parse(given);
  if (url === null) return 'not_a_url';
  const { protocol, hostname, username, password, port } = url;
  const isLoopback = rules.allowLoopback && isLoopbackHost(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback)) return 'scheme_not_allowed';
  if (username !== '' || password !== '') return 'credentials_not_allowed';
  if (port === '0') return 'port_not_allowed';
  if (hostname === '' || isLoopback) return hostname === '' ? 'not_a_url' : undefined;
  const isRefused = isAddress(hostname) ? !isReachableAddress(hostname, rules) : LOCAL_NAME.test(hostname);
  return isRefused ? 'address_not_allowed' : undefined;
}
