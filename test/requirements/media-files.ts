import type { Requirement } from './requirement.js';

/** Bytes of media: storage, uploads, URLs, renditions (decisions 3.2, 3.3, 3.13). */
export const mediaFiles = {
  'dec-3.2-storage': {
    source: '3.2',
    text: 'Files are stored under their content on disk or in S3, whole or not at all.',
  },
  'dec-3.2-metadata': {
    source: '3.2',
    text: 'EXIF and places are stripped from public bytes; dimensions are those after orientation.',
  },
  'dec-3.13-hashes': {
    source: '3.13',
    text: '`checksum` is of the stored bytes, `sourceChecksum` of the uploaded ones.',
  },
  'dec-3.3-receive': {
    source: '3.3',
    text: 'Uploads are typed by content, bounded, scanned, and leave nothing behind when they are refused.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
