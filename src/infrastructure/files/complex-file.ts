/** What a file has too much of. */
export type FileAspect =
  'elements' | 'depth' | 'attributes' | 'references' | 'styleRules' | 'images' | 'pixels' | 'seconds';

/** The file is well-formed, but takes more work than the service does for one. */
export class ComplexFile extends Error {
  override readonly name = 'ComplexFile';

  constructor(
    readonly aspect: FileAspect,
    readonly maximum: number,
  ) {
    super(`more than ${String(maximum)} ${aspect}`);
  }
}
