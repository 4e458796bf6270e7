/** Ends a preview. */
export function POST({ cookies }) {
  cookies.delete('headwater_preview', { path: '/' });
  return new Response(null, { status: 303, headers: { location: '/' } });
}
