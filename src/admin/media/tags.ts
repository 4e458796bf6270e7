/** Tags as they are typed, with commas between them; repeated ones count once. */
export const readTags = (text: string): string[] => [
  ...new Set(text.split(',').flatMap((tag) => tag.trim() || [])),
];
