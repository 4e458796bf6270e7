/** Begins a preview: the preview address of the site is /preview?path={path}&previewToken={token}. */
export default defineEventHandler(async (event) => {
  const { path = '/', previewToken = '' } = getQuery(event);
  // Another host would be reached by a second slash at the start.
  if (!/^\/(?![/\\])/.test(path))
    throw createError({ statusCode: 400, statusMessage: 'The path is not one of this site.' });
  if (previewToken === '' || (await resolve(path, previewToken)).status === 403)
    throw createError({ statusCode: 403, statusMessage: 'The preview has ended.' });
  setCookie(event, 'headwater_preview', previewToken, {
    httpOnly: true,
    secure: true,
    sameSite: 'none',
    path: '/',
  });
  setHeader(event, 'cache-control', 'no-store');
  return sendRedirect(event, path, 307);
});
