import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { AppError, invalidInput } from '../../../../contracts/errors.js';

const malformedBody = (): AppError =>
  new AppError('invalid_request', undefined, 'The multipart body is malformed.');

const MAXIMUM_PARTS = 10;

/** @throws AppError 400 `invalid_request`, 422 `validation_failed` unless `name` is the only part */
export function readSinglePart(body: Buffer, headers: BusboyHeaders, name: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const found: Buffer[] = [];
    const unexpected = new Set<string>();
    // Files are not decoded.
    const parser = new Busboy({
      headers,
      isPartAFile: () => true,
      limits: { parts: MAXIMUM_PARTS, headerPairs: 50, headerSize: 8192 },
    });
    parser.on('file', (field, stream) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', () => {
        reject(malformedBody());
      });
      stream.on('end', () => {
        if (field === name) found.push(Buffer.concat(chunks));
        else unexpected.add(field);
      });
    });
    parser.on('error', () => {
      reject(malformedBody());
    });
    parser.on('partsLimit', () => {
      reject(malformedBody());
    });
    parser.on('finish', () => {
      const [part, ...more] = found;
      if (part !== undefined && more.length === 0 && unexpected.size === 0) resolve(part);
      else reject(partError(name, { isMissing: part === undefined, unexpected }));
    });
    parser.end(body);
  });
}

function partError(
  name: string,
  { isMissing, unexpected }: { isMissing: boolean; unexpected: ReadonlySet<string> },
): AppError {
  const unknown = [...unexpected].map((field) => ({
    path: [field],
    code: 'unrecognized_key',
    message: `Unknown key: ${field}`,
  }));
  if (unknown.length > 0) return invalidInput(...unknown);
  const message = isMissing ? `The part "${name}" is missing.` : `The part "${name}" is repeated.`;
  return invalidInput({ path: [name], code: 'invalid_type', message });
}
