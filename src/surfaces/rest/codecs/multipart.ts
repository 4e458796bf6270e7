import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { AppError, invalidInput } from '../../../../contracts/errors.js';

const malformed = (): AppError =>
  new AppError('invalid_request', undefined, 'The multipart body is malformed.');

const MAXIMUM_PARTS = 10;

/** @throws AppError 400 `invalid_request`, 422 `validation_failed` unless `name` is the only part */
export function onlyPart(body: Buffer, headers: BusboyHeaders, name: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const found: Buffer[] = [];
    const strange = new Set<string>();
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
        reject(malformed());
      });
      stream.on('end', () => {
        if (field === name) found.push(Buffer.concat(chunks));
        else strange.add(field);
      });
    });
    parser.on('error', () => {
      reject(malformed());
    });
    parser.on('partsLimit', () => {
      reject(malformed());
    });
    parser.on('finish', () => {
      const [part, ...more] = found;
      if (part !== undefined && more.length === 0 && strange.size === 0) resolve(part);
      else reject(refusal(name, { isMissing: part === undefined, strange }));
    });
    parser.end(body);
  });
}

function refusal(
  name: string,
  { isMissing, strange }: { isMissing: boolean; strange: ReadonlySet<string> },
): AppError {
  const unknown = [...strange].map((field) => ({
    path: [field],
    code: 'unrecognized_key',
    message: `Unknown key: ${field}`,
  }));
  if (unknown.length > 0) return invalidInput(...unknown);
  const message = isMissing ? `The part "${name}" is missing.` : `The part "${name}" is repeated.`;
  return invalidInput({ path: [name], code: 'invalid_type', message });
}
