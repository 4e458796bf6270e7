export { anchoredText, hasAnchoredText, quoteOf, type TextRange } from './anchored-text.js';
export { mapRanges } from './map-ranges.js';
