// Runs beside the installed package: writes the texts of a file, one value a line, with every renderer.
import { readFile, writeFile } from 'node:fs/promises';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { compile } from 'svelte/compiler';
import { render } from 'svelte/server';
import { createSSRApp, h } from 'vue';
import { renderToString } from 'vue/server-renderer';

const pack = new URL('./node_modules/headwater-client/', import.meta.url);

/** Compiles a component beside its source; returns the address of the module. */
async function compiled(name, folder) {
  const source = await readFile(new URL(name, folder), 'utf8');
  const { js } = compile(source, { generate: 'server', filename: name });
  const place = new URL(`${name}.js`, folder);
  await writeFile(place, js.code);
  return place.href;
}

await compiled('RichText.svelte', pack);
await writeFile(new URL('svelte.js', pack), "export { default as RichText } from './RichText.svelte.js';\n");

const [, , input, page] = process.argv;
const here = new URL('./', import.meta.url);
const load = async (name) => import(new URL(name, here).href);
const components =
  page === 'page'
    ? {
        plain: (await load('plain.js')).render,
        react: (await load('react-body.js')).Body,
        vue: (await load('vue-body.js')).Body,
        svelte: (await import(await compiled('Body.svelte', here))).default,
      }
    : {
        plain: (await import('headwater-client/rich-text')).richTextHtml,
        react: (await import('headwater-client/react')).RichText,
        vue: (await import('headwater-client/vue')).RichText,
        svelte: (await import('headwater-client/svelte')).RichText,
      };

for (const line of (await readFile(input, 'utf8')).split('\n')) {
  const value = JSON.parse(line);
  const app = createSSRApp({ render: () => h(components.vue, { value }) });
  const written = {
    plain: components.plain(value),
    react: renderToStaticMarkup(createElement(components.react, { value })),
    vue: await renderToString(app),
    svelte: render(components.svelte, { props: { value } }).body,
  };
  process.stdout.write(`${JSON.stringify(written)}\n`);
}
