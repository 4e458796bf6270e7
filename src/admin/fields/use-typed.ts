import { useState } from 'react';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';

/**
 * What was typed for a value that has another form than its text, such as a number. It is kept as it was typed until
 * the value changes from elsewhere.
 */
export function useTyped(
  value: unknown,
  print: (value: unknown) => string,
): [text: string, type: (text: string, value: unknown) => void] {
  const [typed, setTyped] = useState(() => ({ text: print(value), value }));
  let { text } = typed;
  if (!isEqualJson(typed.value ?? null, value ?? null)) {
    text = print(value);
    setTyped({ text, value });
  }
  return [text, (next, meant) => setTyped({ text: next, value: meant })];
}
