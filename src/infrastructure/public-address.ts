import ipaddr from 'ipaddr.js';

/** All public IPv6 addresses are in this block. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

function parsed(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = address.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}

/** URLs normalize every spelling of IPv4 to dotted decimals. */
export const isAddress = (host: string): boolean => parsed(host) !== undefined;

export const isLoopbackAddress = (address: string): boolean => parsed(address)?.range() === 'loopback';

/**
 * False for private, loopback, link-local (metadata services), multicast and reserved addresses, and for IPv6 forms
 * that embed IPv4.
 */
export function isPublicAddress(address: string): boolean {
  const ip = parsed(address);
  if (ip?.range() !== 'unicast') return false;
  return ip instanceof ipaddr.IPv4 || ip.match(GLOBAL_UNICAST);
}
