import { describe, it } from '@jest/globals';
import { useOwnApp } from '../../support/desk.js';
import { sampled } from '../../support/extent.js';
import { verifies } from '../../support/verifies.js';
import { compareSequences } from './block-model/play.js';

const app = useOwnApp();
/** One takes 0.5 s. */
const { SEQUENCES = String(sampled(20, 600)) } = process.env;
const HOUR_MS = 3_600_000;

describe('Entries after operations on their blocks', () => {
  verifies('entries/own-blocks', 'entries/shared-blocks', 'entries/copied-blocks', 'publication/blocks');

  it('say what the model says', () => compareSequences(app(), Number(SEQUENCES)), HOUR_MS);
});
