/** Replaced by vite. */
interface ImportMeta {
  readonly env: { readonly BASE_URL: string };
}

declare module '*.css';
