/** URL of the service without a final slash; empty for the origin of the page. */
export const apiOrigin = (
  document.querySelector<HTMLMetaElement>('meta[name="headwater-api"]')?.content ?? ''
).replace(/\/+$/, '');
