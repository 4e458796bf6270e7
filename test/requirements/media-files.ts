import type { Requirement } from './requirement.js';

/** Bytes of media: storage, uploads, URLs, renditions. */
export const mediaFiles = {
  'media/storage': {
    source: 'media/storage',
    text: 'Files are stored under their content on disk or in S3, whole or not at all.',
  },
  'media/metadata-stripped': {
    source: 'media/received-files',
    text: 'EXIF and places are stripped from public bytes; dimensions are those after orientation.',
  },
  'media/storage-checksums': {
    source: 'media/storage',
    text: '`checksum` is of the stored bytes, `sourceChecksum` of the uploaded ones.',
  },
  'media/received-files': {
    source: 'media/received-files',
    text: 'Uploads are typed by content, bounded, scanned, and leave nothing behind when they are refused.',
  },
  'media/received-types': {
    source: 'media/received-files',
    text: 'A setting lists the accepted types; documents of Office and texts of any encoding are known by content, and no setting makes pages, scripts or programs acceptable.',
  },
  'media/received-drawings': {
    source: 'media/received-files',
    text: 'Drawings keep checked styles and embedded pictures; what is removed is a warning; elements, depth, references, rules and the time to draw are bounded.',
  },
  'media/renditions-in-turns': {
    source: 'media/renditions',
    text: 'Files are sanitised, inspected and rendered outside of the thread that serves requests, in turns by tenant, with a bounded wait.',
  },
  'media/urls': {
    source: 'media/urls',
    text: 'Public URLs are immutable, with ETag, Range and HEAD; an outdated hash redirects; a missing object is 404.',
  },
  'media/urls-signed': {
    source: 'media/urls',
    text: 'Private files and free transformations need a signature; two secrets allow rotation; else 403.',
  },
  'media/renditions': {
    source: 'media/renditions',
    text: "Renditions follow Contentful's parameters, are made once across all processes, and work is bounded.",
  },
  'media/renditions-unsigned': {
    source: 'media/renditions',
    text: 'Unsigned sizes and qualities round up, nothing is enlarged, `rect`, `bg` and `fl` need a signature.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
