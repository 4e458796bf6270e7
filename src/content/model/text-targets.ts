/** Validations of texts that name content types, and media types beside them. */
export const textTargetKeys = ['allowedEmbeds', 'allowedLinks'] as const;

interface TextTarget {
  readonly key: (typeof textTargetKeys)[number];
  readonly index: number;
  readonly name: string;
}

/** Content types that the validations of a field name. Media types have a slash. */
export function textTargetsOf(validations: object): TextTarget[] {
  return textTargetKeys.flatMap((key) => {
    const names = (validations as Readonly<Record<string, unknown>>)[key];
    if (!Array.isArray(names)) return [];
    return names.flatMap((name: unknown, index) =>
      typeof name === 'string' && !name.includes('/') ? [{ key, index, name }] : [],
    );
  });
}
