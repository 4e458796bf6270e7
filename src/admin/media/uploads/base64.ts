/** Of a file in one call: the service reads 1 MiB, in which the file is Base64. */
export const CALL_BYTES = 760_000;

/** @throws Error if the file was changed or removed after it was chosen */
export function base64Of(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error(reader.error?.message));
    reader.readAsDataURL(bytes);
  });
}
