import type { Requirement } from './requirement.js';

/** Errors. */
export const errors = {
  'http/input-shape': { source: 'http/input', text: 'Input of the wrong shape is 422 with details.' },
  'http/status-of-create-and-delete': {
    source: 'http/status-codes',
    text: 'Create answers 201 with Location; DELETE 200 with what was deleted.',
  },
  'http/input-refused': {
    source: 'http/input',
    text: 'invalid_json 400, media type 415, too large 413, shape 422.',
  },
  'http/input-unknown-keys': {
    source: 'http/input',
    text: 'Unknown body keys are refused, one issue each; unknown query parameters are ignored, except by lists of management.',
  },
  'http/put-partial': {
    source: 'http/input',
    text: 'PUT is partial; nothing to change is no_update_fields.',
  },
  'http/idempotency': {
    source: 'http/idempotency',
    text: 'A POST with an Idempotency-Key takes effect once and is answered alike for 24 hours, also after a kill.',
  },
  'http/unknown-routes-and-methods': {
    source: 'http/status-codes',
    text: 'Unknown route 404 not_found, wrong method 405 with Allow.',
  },
  'http/request-id': {
    source: 'http/headers',
    text: 'X-Request-Id is echoed or made, on every response.',
  },
  'http/accepted': {
    source: 'http/status-codes',
    text: 'What will happen later is answered 202 with its jobId.',
  },
  'entries/bulk-atomic': {
    source: 'entries/bulk',
    text: 'An atomic bulk that fails is 422 bulk_failed with the results, nothing applied.',
  },
  'http/missing-things': {
    source: 'http/status-codes',
    text: 'Missing things in the path are 404, in the body 404 with details.path.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
