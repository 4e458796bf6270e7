import { limits } from '../../../contracts/limits.js';

/** What redirects compare: a canonical path, and the parameters of the query as `name=value`, encoded and sorted. */
export interface Address {
  readonly path: string;
  readonly parameters: readonly string[];
}

const encodeParameter = ([name, value]: readonly [string, string]): string =>
  `${encodeURIComponent(name.normalize('NFC'))}=${encodeURIComponent(value.normalize('NFC'))}`;

/** The parameters of a query in NFC, sorted, each once: `?b=1&a` and `?a=&b=1` are equal. */
export function parametersOf(query: string): string[] {
  const pairs = new URLSearchParams(query);
  return [...new Set([...pairs].map(encodeParameter))].sort();
}

export function formatAddress({ path, parameters }: Address): string {
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`;
}

export interface TargetParts {
  readonly path: string;
  /** With `?`, or empty. */
  readonly query: string;
  /** With `#`, or empty. */
  readonly fragment: string;
}

/** Parts of a canonical path target, or of a canonical source. */
export function splitTarget(target: string): TargetParts {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/su.exec(target) ?? [];
  return { path, query, fragment };
}

/** @param text canonical path with optional query and fragment */
export function parseAddress(text: string): Address {
  const { path, query } = splitTarget(text);
  return { path, parameters: parametersOf(query) };
}

/** Parameters by which a request is looked up; sources have no more. */
export const lookupParameters = ({ parameters }: Address): readonly string[] =>
  parameters.slice(0, limits.requestParameters);

/** A request's parameters are added to a target that does not name them. */
export function mergeQuery(query: string, added: readonly string[]): string {
  const names = new Set(parametersOf(query).map(nameOf));
  const more = added.filter((parameter) => !names.has(nameOf(parameter)));
  const parts = [...(query.length > 1 ? [query.slice(1)] : []), ...more];
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

const nameOf = (parameter: string): string => parameter.slice(0, parameter.indexOf('='));
