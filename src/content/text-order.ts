const collator = new Intl.Collator('en');

/** The order of Unicode, which is that of English as well, whatever the locale of the server. */
export const compareTexts = (one: string, other: string): number => collator.compare(one, other);
