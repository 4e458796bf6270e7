/**
 * NUL, which PostgreSQL cannot store, and lone surrogates, which UTF-8 cannot encode. The `u` flag excludes paired
 * ones.
 */
const inexactCharacter = /[\0\uD800-\uDFFF]/u;

export function checkExactText(text: string): boolean {
  return !inexactCharacter.test(text);
}
