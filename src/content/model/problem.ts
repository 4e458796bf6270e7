/** The path is relative to the value, empty for the value as a whole. */
export interface Problem {
  readonly path: (string | number)[];
  readonly code: string;
  readonly message: string;
}

export function problem(code: string, message: string): Problem[] {
  return [{ path: [], code, message }];
}

/** Prefixes the paths of problems. */
export function under(problems: readonly Problem[], ...path: (string | number)[]): Problem[] {
  return problems.map((each) => ({ ...each, path: [...path, ...each.path] }));
}
