import type { Outputs } from '../api/client.js';
import { deletion, type FormConfig, type ResourceConfig } from '../resources/resource-config.js';
import { localeName } from '../texts/index.js';

export type Locale = Outputs['locales']['list']['data'][number];

/** What the list of a project's locales and that of any tenant have in common. */
export const localeList = {
  title: 'locales.title',
  createLabel: 'locales.create',
  nameOf: ({ code }: Locale) => localeName(code),
  key: { input: 'code', item: 'code' },
  actions: [deletion()],
} as const satisfies Partial<ResourceConfig<Locale>>;

export const localeForm = {
  order: ['code', 'name', 'fallbackCode', 'isActive'],
  start: { isActive: true },
} as const satisfies FormConfig;
