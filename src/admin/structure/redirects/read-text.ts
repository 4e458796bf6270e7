const marks: Readonly<Record<string, string>> = { '255,254': 'utf-16le', '254,255': 'utf-16be' };

/** The content of a text file: UTF-16 if it has the byte order mark, else UTF-8. */
export async function readText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return new TextDecoder(marks[String(bytes.subarray(0, 2))] ?? 'utf-8').decode(bytes);
}
