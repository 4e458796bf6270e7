/** Parses the path parameter; 0, which no version has, if malformed. */
export function versionNumOf(text: string): number {
  const number = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : 0;
  return number <= 2_147_483_647 ? number : 0;
}
