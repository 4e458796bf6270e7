/** Of one drawing (rule media/received-files). */
export const svgLimits = {
  bytes: 5 * 1024 * 1024,
  elements: 20_000,
  depth: 100,
  /** Of one element. */
  attributes: 200,
  /** Elements that are drawn, each use of a group counting as its elements. */
  references: 100_000,
  /** A reference to an element that has references, and so on. */
  hops: 100,
  styleBytes: 256 * 1024,
  styleRules: 2000,
  images: 100,
  /** Of all embedded pictures. */
  pixels: 50_000_000,
} as const;
