import ipaddr from 'ipaddr.js';
import type { InputIssue } from '../../contracts/errors.js';
import type { Audience } from '../../contracts/metadata.js';
import type {
  AddressRules,
  GuardedInterface,
} from '../../contracts/access/ip-allowlist/ip-allowlist.contract.js';
import type { Surface } from './principal.js';

/** First address in bytes, and the number of leading bits that count. */
interface Network {
  readonly bytes: readonly number[];
  readonly prefix: number;
}

/** `hint` is the network that was probably meant. */
type NetworkProblem = { readonly kind: 'malformed' } | { readonly kind: 'host_bits'; readonly hint: string };

const MAPPED_PREFIX = 96;

/** Canonical, with IPv4 unwrapped from IPv6; undefined for anything else. */
function addressOf(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // Octal and shortened forms are ambiguous; zones are meaningless here.
  if (text.includes('%') || (!text.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(text)))
    return undefined;
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** As stored and compared: IPv4 unwrapped, IPv6 shortened; null if invalid. */
export function plainAddress(text: string | undefined): string | null {
  return (text === undefined ? undefined : addressOf(text.trim()))?.toString() ?? null;
}

/** Identifies anonymous callers: an IPv4 address or an IPv6 /64. */
export function callerNetwork(address: string): string {
  const parsed = addressOf(address);
  if (!(parsed instanceof ipaddr.IPv6)) return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

function parse(text: string): Network | undefined {
  const [base = '', length, ...rest] = text.split('/');
  const address = addressOf(base);
  if (address === undefined || rest.length > 0) return undefined;
  const bytes = address.toByteArray();
  const bits = bytes.length * 8;
  if (length === undefined) return { bytes, prefix: bits };
  if (!/^(?:0|[1-9][0-9]{0,2})$/.test(length)) return undefined;
  const isUnwrapped = base.includes(':') && bits === 32;
  const prefix = Number(length) - (isUnwrapped ? MAPPED_PREFIX : 0);
  return prefix < 0 || prefix > bits ? undefined : { bytes, prefix };
}

/** Clears the bits beyond the prefix. */
const masked = ({ bytes, prefix }: Network, index: number): number => {
  const kept = Math.min(8, Math.max(0, prefix - index * 8));
  return (bytes[index] ?? 0) & (0xff << (8 - kept)) & 0xff;
};

function contains(outer: Network, inner: Network): boolean {
  if (outer.bytes.length !== inner.bytes.length || outer.prefix > inner.prefix) return false;
  const narrowed = { bytes: inner.bytes, prefix: outer.prefix };
  return outer.bytes.every((_byte, index) => masked(outer, index) === masked(narrowed, index));
}

/** Why a string is not a network or address; undefined if it is. */
export function networkProblem(text: string): NetworkProblem | undefined {
  const network = parse(text);
  if (network === undefined) return { kind: 'malformed' };
  const first = network.bytes.map((_byte, index) => masked(network, index));
  if (first.every((byte, index) => byte === network.bytes[index])) return undefined;
  return { kind: 'host_bits', hint: `${ipaddr.fromByteArray(first).toString()}/${String(network.prefix)}` };
}

export function networkIssues(path: InputIssue['path'], text: string): InputIssue[] {
  const problem = networkProblem(text);
  if (problem === undefined) return [];
  const message =
    problem.kind === 'malformed'
      ? 'Must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24.'
      : `The address has bits beyond the prefix: the network is ${problem.hint}.`;
  return [{ path, code: 'invalid_cidr', message }];
}

const parsed = new WeakMap<readonly string[], readonly Network[]>();

/** Cached by list object, as keys and catalogs are. */
function networksOf(list: readonly string[]): readonly Network[] {
  const known = parsed.get(list);
  if (known !== undefined) return known;
  const networks = list.flatMap((text) => parse(text) ?? []);
  parsed.set(list, networks);
  return networks;
}

/** Whether an address or a whole network is in one of the networks. */
export function isWithin(list: readonly string[], network: string | null): boolean {
  const inner = network === null ? undefined : parse(network);
  return inner !== undefined && networksOf(list).some((outer) => contains(outer, inner));
}

/** The interface that allowlists name; undefined outside projects. */
export function guardedInterface(audience: Audience, surface: Surface): GuardedInterface | undefined {
  if (surface === 'mcp' || surface === 'graphql') return surface;
  return audience === 'management' || audience === 'delivery' ? audience : undefined;
}

interface AddressedCall {
  /** Null if unknown; no rule matches then. */
  readonly address: string | null;
  readonly guarded: GuardedInterface;
  readonly now: Date;
}

/** Applies a project's allowlist (rule access/allowlist). The caller exempts super-admins. */
export function isAddressAllowed(rules: AddressRules, { address, guarded, now }: AddressedCall): boolean {
  if (!rules.isEnabled || !rules.appliesTo.includes(guarded)) return true;
  return rules.networks.some(
    ({ cidr, expiresAt }) => (expiresAt === null || expiresAt > now) && isWithin([cidr], address),
  );
}
