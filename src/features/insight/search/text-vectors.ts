import { createHash } from 'node:crypto';
import type { SearchDocument } from '../../../content/search/search-document.js';
import { EmbedderFailure, type Embedder } from '../../../infrastructure/embedding/embedder.js';

/** What a vector stands for: models read the beginning of a text only. */
const TEXT_CHARACTERS = 2000;
/** A text that is refused is tried without its second half, down to this length. */
const SHORT_CHARACTERS = 200;
const AT_ONCE = 16;
/** No server that works refuses this. */
export const PROBE = 'text';

export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('base64');

/** The title and the beginning of the other texts; empty without any. */
export const meaningOf = ({ texts }: Pick<SearchDocument, 'texts'>): string =>
  texts
    .map(({ text }) => text.slice(0, TEXT_CHARACTERS).trim())
    .filter((text) => text !== '')
    .join('\n')
    .slice(0, TEXT_CHARACTERS)
    .toWellFormed();

const isRefusal = (error: unknown): boolean => error instanceof EmbedderFailure && error.kind === 'refused';

async function vectorOfOne(embedder: Embedder, text: string): Promise<Float32Array | undefined> {
  try {
    return (await embedder.embed([text]))[0];
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  if (text.length > SHORT_CHARACTERS)
    return vectorOfOne(embedder, text.slice(0, Math.ceil(text.length / 2)).toWellFormed());
  try {
    await embedder.embed([PROBE]);
  } catch (error) {
    throw isRefusal(error) ? new EmbedderFailure('unavailable', 'refuses_everything', error) : error;
  }
  return undefined;
}

async function vectorsOfSome(
  embedder: Embedder,
  texts: readonly string[],
): Promise<(Float32Array | undefined)[]> {
  try {
    return await embedder.embed(texts);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const vectors: (Float32Array | undefined)[] = [];
  for (const text of texts) vectors.push(await vectorOfOne(embedder, text));
  return vectors;
}

/**
 * Vectors by text. A text that the server refuses, even shortened, has none.
 * @throws EmbedderFailure `unavailable`, also if replies have different numbers of dimensions
 */
export async function vectorsOfTexts(
  embedder: Embedder,
  texts: readonly string[],
): Promise<ReadonlyMap<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  let dimensions: number | undefined;
  for (let start = 0; start < texts.length; start += AT_ONCE) {
    const some = texts.slice(start, start + AT_ONCE);
    const vectors = await vectorsOfSome(embedder, some);
    for (const [index, text] of some.entries()) {
      const vector = vectors[index];
      if (vector === undefined) continue;
      dimensions ??= vector.length;
      if (vector.length !== dimensions) throw new EmbedderFailure('unavailable', 'wrong_dimensions');
      found.set(text, vector);
    }
  }
  return found;
}

/** Texts of many kinds and languages, whose vectors show around which centre a model's vectors lie. */
export const sampleTexts = [
  'Opening hours of the museum',
  'How do I reset my password?',
  'The weather is fine today.',
  'Contact',
  'Prices and discounts for groups',
  'Kennwort zurücksetzen',
  'Die Schleuse ist im Winter geschlossen.',
  'Les horaires d’ouverture',
  'Nuestra historia comenzó en 1920.',
  '東京の天気',
  'お問い合わせ',
  'Как доехать до музея',
  'مرحبا بكم في موقعنا',
  'Privacy policy',
  'Terms and conditions of use',
  'We are hiring a software engineer.',
  'Recipe for apple pie with cinnamon',
  'The parliament adopted the new law.',
  'Installation of the package',
  'A boat passes the lock.',
  'Error 404: page not found',
  'Annual report and accounts',
  'Concert of the symphony orchestra on Friday',
  'Football results of the weekend',
  'Medicine, side effects and dosage',
  'Travel insurance',
  '12345',
  'Order number and delivery time',
  'The history of the Roman Empire',
  'Machine learning in practice',
  'Gift ideas for children',
  'Zimmer mit Frühstück buchen',
] as const;
