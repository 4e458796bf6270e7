/** The forms in which devices write the same characters; one for plain letters. NFC, in which texts are compared, is the first. */
export const textForms = (text: string): string[] => [
  ...new Set([text.normalize('NFC'), text.normalize('NFD'), text]),
];
