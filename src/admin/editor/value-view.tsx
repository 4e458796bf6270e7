import { textOf } from '../ui/value-text.js';

/** Any value, to be read and compared. */
export function ValueView({ value }: { readonly value: unknown }) {
  return <pre className="value">{textOf(value)}</pre>;
}
