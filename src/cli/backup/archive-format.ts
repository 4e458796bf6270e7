import { z } from 'zod';

/**
 * A backup is gzip of lines: a header, then for each table its name and columns as JSON, its rows in the text format
 * of COPY and a line `\.`, for each file its key and size as JSON and its bytes, and at last the state of the sequences
 * with the number of rows and files and a hash of everything before. A later section of another kind has a line of
 * JSON with another first key.
 */
export const FORMAT = 'headwater-backup';
export const FORMAT_VERSION = 2;
/** 1 has no files. */
export const READABLE_VERSIONS: readonly number[] = [1, 2];
export const END_OF_ROWS = '\\.\n';

export const Header = z.object({
  format: z.literal(FORMAT),
  version: z.number().int(),
  release: z.string(),
  createdAt: z.iso.datetime(),
  /** Names of the applied migrations: the schema of the rows. */
  migrations: z.array(z.string()),
});
export type Header = z.infer<typeof Header>;

export const TableSection = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });

export const FileSection = z.object({ file: z.string(), size: z.int().min(0) });
export type FileSection = z.infer<typeof FileSection>;

export const Trailer = z.object({
  sequences: z.record(z.string(), z.object({ last: z.string().regex(/^\d{1,19}$/), isCalled: z.boolean() })),
  /** By table. */
  rows: z.record(z.string(), z.number().int()),
  /** Absent if the files are kept elsewhere. */
  files: z
    .object({
      count: z.int(),
      bytes: z.int(),
      /** Keys of files that were missing or damaged when the backup was written. */
      lacking: z.array(z.string()),
    })
    .optional(),
  /** Of every byte before this line, uncompressed. */
  sha256: z.string(),
});
export type Trailer = z.infer<typeof Trailer>;

export const toLine = (content: object): string => `${JSON.stringify(content)}\n`;
