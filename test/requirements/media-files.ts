import type { Requirement } from './requirement.js';

/** Bytes of media: storage, uploads, URLs, renditions. */
export const mediaFiles = {
  'dec-3.2-storage': {
    source: 'media/storage',
    text: 'Files are stored under their content on disk or in S3, whole or not at all.',
  },
  'dec-3.2-metadata': {
    source: 'media/received-files',
    text: 'EXIF and places are stripped from public bytes; dimensions are those after orientation.',
  },
  'dec-3.13-hashes': {
    source: 'media/storage',
    text: '`checksum` is of the stored bytes, `sourceChecksum` of the uploaded ones.',
  },
  'dec-3.3-receive': {
    source: 'media/received-files',
    text: 'Uploads are typed by content, bounded, scanned, and leave nothing behind when they are refused.',
  },
  'dec-3.3-types': {
    source: 'media/received-files',
    text: 'A setting lists the accepted types; documents of Office and texts of any encoding are known by content, and no setting makes pages, scripts or programs acceptable.',
  },
  'dec-4.13-drawings': {
    source: 'media/received-files',
    text: 'Drawings keep checked styles and embedded pictures; what is removed is a warning; elements, depth, references, rules and the time to draw are bounded.',
  },
  'dec-4.13-files-apart': {
    source: 'media/renditions',
    text: 'Files are sanitised, inspected and rendered outside of the thread that serves requests, in turns by tenant, with a bounded wait.',
  },
  'dec-3.2-url': {
    source: 'media/urls',
    text: 'Public URLs are immutable, with ETag, Range and HEAD; an outdated hash redirects; a missing object is 404.',
  },
  'dec-3.2-signature': {
    source: 'media/urls',
    text: 'Private files and free transformations need a signature; two secrets allow rotation; else 403.',
  },
  'dec-3.2-renditions': {
    source: 'media/renditions',
    text: "Renditions follow Contentful's parameters, are made once across all processes, and work is bounded.",
  },
  'dec-3.13-renditions': {
    source: 'media/renditions',
    text: 'Unsigned sizes and qualities round up, nothing is enlarged, `rect`, `bg` and `fl` need a signature.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
