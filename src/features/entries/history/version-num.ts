/** 0, which no version has, if the number is none of a version: the database would reject a larger one. */
export const versionNumOf = (number: number): number => (number >= 1 && number <= 2_147_483_647 ? number : 0);
