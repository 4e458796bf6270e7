import ipaddr from 'ipaddr.js';

/** The block of IPv6 from which public addresses are given out; all others are special in some way. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

function parsed(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = address.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}

/** Whether a host is an address and no name. URLs write every spelling of IPv4 in dotted decimals. */
export const isAddress = (host: string): boolean => parsed(host) !== undefined;

/** Whether an address is that of this machine. */
export const isLoopbackAddress = (address: string): boolean => parsed(address)?.range() === 'loopback';

/**
 * Whether an address is a public one. Private, loopback, link-local (metadata services), multicast and
 * reserved ones are not, nor are IPv6 forms that carry an IPv4 address (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  const ip = parsed(address);
  if (ip?.range() !== 'unicast') return false;
  return ip instanceof ipaddr.IPv4 || ip.match(GLOBAL_UNICAST);
}
