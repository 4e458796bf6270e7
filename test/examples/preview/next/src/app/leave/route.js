import { cookies, draftMode } from 'next/headers';

/** Ends a preview. */
export async function POST() {
  (await draftMode()).disable();
  (await cookies()).delete('headwater_preview');
  return new Response(null, { status: 303, headers: { location: '/' } });
}
