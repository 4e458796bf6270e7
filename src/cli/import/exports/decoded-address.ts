/** Without percent signs where they are codes of characters; as it is if one of them is no such code. */
export function decodedAddress(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}
