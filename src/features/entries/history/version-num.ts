/**
 * The version number that stands in a path. What is ill-formed there names no version: 0, which none has.
 */
export function versionNumOf(text: string): number {
  const number = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : 0;
  return number <= 2_147_483_647 ? number : 0;
}
