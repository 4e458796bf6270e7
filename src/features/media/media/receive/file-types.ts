/** Known types, by content, and their file name extensions; the first is the usual one. */
const extensionsByType = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png', 'apng'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/gif': ['gif'],
  'image/svg+xml': ['svg'],
  'image/vnd.microsoft.icon': ['ico'],
  'image/heic': ['heic'],
  'image/heif': ['heif'],
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
  'application/msword': ['doc'],
  'application/vnd.ms-excel': ['xls'],
  'application/vnd.ms-powerpoint': ['ppt'],
  'application/rtf': ['rtf'],
  'font/woff': ['woff'],
  'font/woff2': ['woff2'],
  'font/ttf': ['ttf'],
  'font/otf': ['otf'],
  'text/plain': ['txt', 'text', 'log'],
  'text/csv': ['csv'],
  'text/vtt': ['vtt'],
  'text/markdown': ['md', 'markdown'],
  'text/calendar': ['ics'],
  'text/vcard': ['vcf'],
  'application/x-subrip': ['srt'],
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
  'text/calendar',
  'text/vcard',
  'application/x-subrip',
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

/** Names that browsers have for texts. */
const otherNames = new Set(['text/srt', 'text/x-vcard']);

/** Whether a declared type is compatible with the content: another picture is, a program in place of a picture is not. */
export function agrees(declared: string | undefined, found: FileType): boolean {
  const type = (declared ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (unspecific.has(type) || type === found) return true;
  if (isText(found)) return isText(type) || otherNames.has(type) || type === 'application/vnd.ms-excel';
  if (found === 'application/rtf' && type === 'text/rtf') return true;
  if (familyOf(found) === 'application' || familyOf(found) === 'font')
    return familyOf(type) === 'application' || familyOf(type) === 'font';
  return familyOf(type) === familyOf(found) || (isRecording(type) && isRecording(found));
}

const isImage = (type: FileType): boolean => familyOf(type) === 'image';

/** Pictures of the browser or the phone that are stored as they are: nothing here decodes them. */
const undecoded: readonly FileType[] = ['image/vnd.microsoft.icon', 'image/heic', 'image/heif'];

/** Whether a picture has dimensions, a placeholder and renditions. */
export const isDecoded = (type: FileType): boolean => isImage(type) && !undecoded.includes(type);

/** Only where the setting names them: most browsers do not show these pictures. */
const onRequest: readonly FileType[] = ['image/heic', 'image/heif'];

const allTypes = Object.keys(extensionsByType) as FileType[];

/** Types such as `image/png`, groups such as `image/*`, and `default`. */
export type TypeList = readonly string[];

function typesOf(item: string): readonly FileType[] {
  if (item === 'default') return allTypes.filter((type) => !onRequest.includes(type));
  const isGroup = item.endsWith('/*');
  return allTypes.filter((type) => (isGroup ? type.startsWith(item.slice(0, -1)) : type === item));
}

/** The first item that stands for no known type. */
export const unknownTypeIn = (list: TypeList): string | undefined =>
  list.find((item) => typesOf(item).length === 0);

export const acceptedTypes = (list: TypeList): ReadonlySet<FileType> => new Set(list.flatMap(typesOf));

export const isRecording = (type: string): boolean => ['audio', 'video'].includes(familyOf(type));
