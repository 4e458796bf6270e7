import { z } from 'zod';
import { unknownTypeIn } from '../../../features/media/media/receive/file-types.js';
import { definePart, flag, listOf, oneOf, secret, url, webUrl, wholeNumber } from './setting.js';

const required = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

export const media = definePart({
  settings: {
    MEDIA_STORAGE: oneOf(['disk', 's3'])
      .default('disk')
      .describe('Where files are stored: disk is the data directory, s3 a bucket.'),
    S3_ENDPOINT: webUrl().optional().describe('URL of the S3 service.'),
    S3_REGION: z.string().default('us-east-1').describe('Region of the bucket.'),
    S3_BUCKET: z.string().optional().describe('Bucket that holds the files; it must exist.'),
    S3_ACCESS_KEY_ID: z.string().optional().describe('Access key of the bucket.'),
    S3_SECRET_ACCESS_KEY: z.string().optional().describe('Secret of the access key.'),
    S3_SESSION_TOKEN: z.string().optional().describe('Session token of a temporary access key.'),
    S3_FORCE_PATH_STYLE: flag()
      .default(true)
      .describe('1 puts the bucket into the path of a request, 0 into its host name.'),
    MEDIA_BASE_URL: webUrl()
      .optional()
      .describe('URL before `/media/` in the URLs of files: a CDN. Unset: PUBLIC_BASE_URL.'),
    MEDIA_URL_SECRET: secret()
      .optional()
      .describe(
        'Secret that signs URLs of files. Unset: derived from SESSION_JWT_SECRET; with a key set, kept in the data directory.',
      ),
    MEDIA_URL_SECRET_PREVIOUS: secret()
      .optional()
      .describe('Former MEDIA_URL_SECRET: URLs that it signed keep working.'),
    MEDIA_TRANSFORM_CONCURRENCY: wholeNumber(1, 64)
      .default(1)
      .describe('Renditions that a process makes concurrently.'),
    MEDIA_ACCEPTED_TYPES: z
      .string()
      .transform((text) => listOf(text.toLowerCase()))
      .refine((list) => list.length > 0 && unknownTypeIn(list) === undefined, {
        error: 'must list media types that the service knows, groups such as image/*, or default',
      })
      .default(['default'])
      .describe(
        'Media types of files that are accepted, separated by commas: image/png, image/*, default. Unset: default, all but HEIC and HEIF.',
      ),
    MEDIA_OPEN_UPLOADS: wholeNumber(1, 10_000)
      .default(100)
      .describe('Uploads of a key, or of a user, that may be open at once in a project.'),
    MEDIA_OPEN_UPLOADS_GB: wholeNumber(1, 1_000_000)
      .default(50)
      .describe('Gigabytes (2^30) that the open uploads of a project may have in all.'),
    MEDIA_SCANNER: url('clamd:', 'https:')
      .optional()
      .describe('Virus scanner: clamd://host:3310, or an https:// URL. Unset: files are not scanned.'),
  },
  slice: (read) => ({
    usesBucket: read.MEDIA_STORAGE === 's3',
    /** Undefined unless its settings are complete. */
    bucket: required.every((name) => read[name] !== undefined)
      ? {
          endpoint: read.S3_ENDPOINT ?? '',
          region: read.S3_REGION,
          bucket: read.S3_BUCKET ?? '',
          accessKeyId: read.S3_ACCESS_KEY_ID ?? '',
          secretAccessKey: read.S3_SECRET_ACCESS_KEY ?? '',
          sessionToken: read.S3_SESSION_TOKEN,
          forcePathStyle: read.S3_FORCE_PATH_STYLE,
        }
      : undefined,
    /** Without a final slash. */
    baseUrl: read.MEDIA_BASE_URL?.replace(/\/+$/, ''),
    /** The first one signs. Empty: derived, or kept in the data directory. */
    secrets: [read.MEDIA_URL_SECRET, read.MEDIA_URL_SECRET_PREVIOUS].filter((given) => given !== undefined),
    transformConcurrency: read.MEDIA_TRANSFORM_CONCURRENCY,
    acceptedTypes: read.MEDIA_ACCEPTED_TYPES,
    openUploads: { maximum: read.MEDIA_OPEN_UPLOADS, bytes: read.MEDIA_OPEN_UPLOADS_GB * 1_073_741_824 },
    scanner: read.MEDIA_SCANNER,
  }),
  problems: (read) => {
    const missing = required.filter((name) => read[name] === undefined);
    if (read.MEDIA_STORAGE !== 's3' || missing.length === 0) return [];
    return [`${missing.join(', ')} must be set with MEDIA_STORAGE=s3`];
  },
});
