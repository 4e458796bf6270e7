/**
 * NUL, which PostgreSQL cannot store, and lone surrogates, which no UTF-8 can carry: they would
 * come back as something else. With the `u` flag, paired surrogates are one character and do not match.
 */
const inexactCharacter = /[\0\uD800-\uDFFF]/u;

/** Whether a text survives storage and transport unchanged: no NUL, no lone surrogates. */
export function checkExactText(text: string): boolean {
  return !inexactCharacter.test(text);
}
