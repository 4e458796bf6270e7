// How the admin app is built, and served while it is developed (`npm run dev:admin`).
import path from 'node:path';
import process from 'node:process';

/** The service that the app calls: empty is the origin that it is loaded from. */
const api = process.env.ADMIN_API_URL ?? '';

/** Written into the page, so that a built app can be pointed at another service without a new build. */
const withApi = {
  name: 'headwater-api',
  transformIndexHtml: (html) =>
    html.replace('content="" name="headwater-api"', `content="${api}" name="headwater-api"`),
};

const service = process.env.HEADWATER_URL ?? 'http://127.0.0.1:4000';

export default {
  root: import.meta.dirname,
  base: process.env.ADMIN_BASE ?? '/admin/',
  plugins: [withApi],
  oxc: { jsx: { runtime: 'automatic' } },
  cacheDir: path.join(import.meta.dirname, '../../node_modules/.cache/vite'),
  build: {
    outDir: path.join(import.meta.dirname, '../../dist/admin'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: 'es2023',
  },
  server: { proxy: { '/api': service, '/media': service } },
};
