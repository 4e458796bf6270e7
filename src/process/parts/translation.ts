import type { Neighbours } from '../../infrastructure/neighbours/neighbours.js';
import {
  HttpTranslator,
  TranslatorFailure,
  type Translator,
  type TranslatorSettings,
} from '../../infrastructure/translator/http-translator.js';

export interface TranslationOptions {
  /** Instead of one at a URL. */
  readonly translator?: Translator | undefined;
  readonly translation?: Omit<TranslatorSettings, 'neighbour'> | undefined;
}

/** Engines translate a file before they send its first byte. */
const COMPUTING = 6;

export function openTranslator(
  { translator, translation }: TranslationOptions,
  neighbours: Neighbours,
): Translator | undefined {
  if (translation === undefined) return translator;
  const neighbour = neighbours.open({
    name: 'translator',
    places: neighbours.places({ most: 4, lineMs: 10_000 }),
    stallMs: COMPUTING * neighbours.stallMs,
    isOutage: (error) => !(error instanceof TranslatorFailure && error.kind === 'failed'),
  });
  return new HttpTranslator({ ...translation, neighbour });
}
