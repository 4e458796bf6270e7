/** Comment of versions that were saved automatically, in every language. */
export const AUTOSAVE_COMMENT = 'Autosave';
