/** Ends a preview. */
export default defineEventHandler((event) => {
  deleteCookie(event, 'headwater_preview', { path: '/' });
  return sendRedirect(event, '/', 303);
});
