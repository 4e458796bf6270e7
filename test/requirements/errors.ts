import type { Requirement } from './requirement.js';

/** Chapter 7, errors; decision 2.1. */
export const errors = {
  'spec-7-422': { source: 'spec 7', text: 'Input of the wrong shape is 422 with details.' },
  'dec-2.1-201': {
    source: '2.1',
    text: 'Create answers 201 with Location; DELETE 200 with what was deleted.',
  },
  'dec-2.1-input': { source: '2.1', text: 'invalid_json 400, media type 415, too large 413, shape 422.' },
  'dec-2.1-unknown-keys': {
    source: '2.1',
    text: 'Unknown body keys are refused, one issue each; unknown query parameters are ignored, except by lists of management.',
  },
  'dec-2.1-put': { source: '2.1', text: 'PUT is partial; nothing to change is no_update_fields.' },
  'dec-2.1-idempotency': {
    source: '2.1',
    text: 'A POST with an Idempotency-Key takes effect once and is answered alike for 24 hours, also after a kill.',
  },
  'dec-2.1-405': { source: '2.1', text: 'Unknown route 404 not_found, wrong method 405 with Allow.' },
  'dec-2.1-request-id': { source: '2.1', text: 'X-Request-Id is echoed or made, on every response.' },
  'dec-2.29-accepted': { source: '2.29', text: 'What will happen later is answered 202 with its jobId.' },
  'dec-2.29-bulk-atomic': {
    source: '2.29',
    text: 'An atomic bulk that fails is 422 bulk_failed with the results, nothing applied.',
  },
  'dec-2.29-missing': {
    source: '2.29',
    text: 'Missing things in the path are 404, in the body 404 with details.path.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
