/** Accepted types, by content, and their file name extensions; the first is the usual one. */
const extensionsByType = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png', 'apng'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/gif': ['gif'],
  'image/svg+xml': ['svg'],
  'audio/mpeg': ['mp3'],
  'audio/mp4': ['m4a'],
  'audio/aac': ['aac'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'audio/wav': ['wav'],
  'audio/flac': ['flac'],
  'video/mp4': ['mp4', 'm4v'],
  'video/webm': ['webm'],
  'video/quicktime': ['mov'],
  'video/ogg': ['ogv', 'ogg'],
  'application/pdf': ['pdf'],
  'application/zip': ['zip'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'application/epub+zip': ['epub'],
  'font/woff': ['woff'],
  'font/woff2': ['woff2'],
  'font/ttf': ['ttf'],
  'font/otf': ['otf'],
  'text/plain': ['txt', 'text', 'log'],
  'text/csv': ['csv'],
  'text/vtt': ['vtt'],
  'text/markdown': ['md', 'markdown'],
  'application/json': ['json'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

export type FileType = keyof typeof extensionsByType;

export const isFileType = (mimeType: string): mimeType is FileType => mimeType in extensionsByType;

export const extensionsOf = (type: FileType): readonly [string, ...string[]] => extensionsByType[type];

/** Text looks alike: the name decides which one it is. */
const textTypes: readonly FileType[] = [
  'text/plain',
  'text/csv',
  'text/vtt',
  'text/markdown',
  'application/json',
];

/** Undefined: text of a kind that is not accepted, such as a script. */
export function textTypeOf(extension: string | undefined): FileType | undefined {
  if (extension === undefined) return 'text/plain';
  return textTypes.find((type) => extensionsOf(type).includes(extension));
}

const isText = (type: string): boolean => (textTypes as readonly string[]).includes(type);

const familyOf = (type: string): string => type.split('/')[0] ?? '';

/** Whether an extension belongs to a type of the same family. */
export const isRelated = (extension: string, type: FileType): boolean =>
  Object.entries(extensionsByType).some(
    ([other, extensions]) =>
      familyOf(other) === familyOf(type) && (extensions as readonly string[]).includes(extension),
  );

const unspecific = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

/** Whether a declared type is compatible with the content: another picture is, a program in place of a picture is not. */
export function agrees(declared: string | undefined, found: FileType): boolean {
  const type = (declared ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (unspecific.has(type) || type === found) return true;
  if (isText(found)) return isText(type) || type === 'application/vnd.ms-excel';
  if (familyOf(found) === 'application' || familyOf(found) === 'font')
    return familyOf(type) === 'application' || familyOf(type) === 'font';
  return familyOf(type) === familyOf(found) || (isRecording(type) && isRecording(found));
}

export const isImage = (type: FileType): boolean => familyOf(type) === 'image';

export const isRecording = (type: string): boolean => ['audio', 'video'].includes(familyOf(type));
