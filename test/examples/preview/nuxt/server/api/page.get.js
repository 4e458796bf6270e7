/** What a path shows. The token stays in a cookie that no script of the page can read. */
export default defineEventHandler(async (event) => {
  const token = getCookie(event, 'headwater_preview');
  const { status, route } = await resolve(String(getQuery(event).path ?? '/'), token);
  if (route === undefined) throw createError({ statusCode: status, statusMessage: 'There is no such page.' });
  return { route, script: token ? scriptOf(token) : undefined };
});
