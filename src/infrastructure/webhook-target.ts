import { isAddress, isLoopbackAddress, isPublicAddress } from './public-address.js';

/** What decides which targets may be reached. */
export interface TargetRules {
  /** This machine, also over http: for development and tests. */
  readonly allowLoopback: boolean;
}

/** Names that mean this machine or this network wherever they are asked for. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|localdomain|home\.arpa)\.?$/i;
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

/** Whether an address may be connected to. */
export const isReachableAddress = (address: string, { allowLoopback }: TargetRules): boolean =>
  isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));

const isLoopbackHost = (host: string): boolean => LOCALHOST.test(host) || isLoopbackAddress(host);

/** Why a URL is no target for webhooks; undefined where it is one as far as can be told without asking for its address. */
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
