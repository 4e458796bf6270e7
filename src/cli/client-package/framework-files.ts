/** Types of a component with the hooks of {@link RichTextHooks}. */
const typesOf = (
  module: string,
  imported: string,
  component: string,
): string => `import type { ${imported} } from '${module}';
import type { RichTextHooks, RichTextValue } from './rich-text.js';

export interface RichTextProperties extends RichTextHooks<${imported.split(' ').at(-1) ?? ''}> {
  readonly value: RichTextValue;
}

/** A rich text, in which hooks write links, embeds and nodes by name in another way. */
export declare const RichText: ${component};
`;

const svelteTypes = `import type { Component, Snippet } from 'svelte';
import type { RichTextHooked, RichTextValue } from './rich-text.js';

type Hook = Snippet<[element: Omit<RichTextHooked<unknown>, 'children'>, children: Snippet]>;

export interface RichTextProperties {
  readonly value: RichTextValue;
  readonly link?: Hook | undefined;
  readonly embed?: Hook | undefined;
  readonly nodes?: Readonly<Record<string, Hook>> | undefined;
}

/** A rich text, in which snippets write links, embeds and nodes by name in another way. */
export declare const RichText: Component<RichTextProperties>;
`;

/** Sources that the package has unchanged: frameworks compile them, or they are JavaScript. */
export const frameworkSources = ['react.js', 'vue.js', 'RichText.svelte'];

/** Content by name of the files that no source has, because the types of frameworks are those of browsers. */
export const frameworkFiles: Readonly<Record<string, string>> = {
  'react.d.ts': typesOf('react', 'ReactNode', '(properties: RichTextProperties) => ReactNode'),
  'vue.d.ts': typesOf('vue', 'FunctionalComponent, VNode', 'FunctionalComponent<RichTextProperties>'),
  'svelte.js': "export { default as RichText } from './RichText.svelte';\n",
  'svelte.d.ts': svelteTypes,
};
