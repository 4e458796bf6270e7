import { describe, it } from '@jest/globals';
import { useOwnApp } from '../support/desk.js';
import { sampled } from '../support/extent.js';
import { verifies } from '../support/verifies.js';
import { compareSequences, modelLimits } from './published-model/play.js';

const app = useOwnApp({ queryLimits: modelLimits });
/** One takes 2 s. */
const { SEQUENCES = String(sampled(4, 500)) } = process.env;
const HOUR_MS = 3_600_000;

describe('Published entries after operations on content and schema', () => {
  verifies('publication/documents');

  it('are on every surface what the model says', () => compareSequences(app(), Number(SEQUENCES)), HOUR_MS);
});
