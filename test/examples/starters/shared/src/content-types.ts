// Replaced by `npm run types`.
export type ContentTypes = undefined;
