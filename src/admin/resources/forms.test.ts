import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { eventNames } from '../../../contracts/change-names.js';
import { fieldKindOptions } from '../../../contracts/content/fields/field-kinds.js';
import { registry } from '../../../contracts/index.js';
import { de } from '../texts/de/index.js';
import { en } from '../texts/en/index.js';
import { inputOf, type Contract } from './contract.js';
import { optionsOf, propertiesOf, unwrapped, type Shape } from './property.js';

const admin = path.join(import.meta.dirname, '..');
const has = (key: string): boolean => Object.hasOwn(en, key);

/** Operations that the app shows as a form, by resource. */
const forms: Readonly<Record<string, readonly string[]>> = {
  apiKeys: ['create', 'update', 'rotate'],
  contentTypes: ['create', 'update', 'rename'],
  customFieldTypes: ['create', 'update'],
  environments: ['create', 'update'],
  fields: ['create', 'update', 'rename'],
  ipAllowlist: ['create', 'update', 'set'],
  locales: ['create', 'update'],
  projects: ['create'],
  promotions: ['promote', 'rollback'],
  redirects: ['create', 'update'],
  releases: ['create', 'update'],
  roles: ['create', 'update', 'createGrant', 'deleteGrant'],
  signOn: ['set'],
  sites: ['create', 'update'],
  tenantLocales: ['create', 'update'],
  tenants: ['create', 'update'],
  users: ['create', 'update', 'resetPassword'],
  webhooks: ['create', 'update', 'rotateSecret'],
  workflows: ['create', 'update'],
};

/** Keys that name the item or its place, which no form shows, and those of own controls. */
const unseen = new Set([
  ...['projectSlug', 'tenantSlug', 'siteSlug', 'workflowSlug', 'environmentSlug', 'id', 'version'],
  ...['roleId', 'grantId', 'promotionId', 'contentTypeApiName', 'fieldApiName', 'position', 'mode', 'items'],
]);
/** Objects with own controls. */
const ownControls = new Set(['visibleWhen', 'requiredWhen']);
/** Options with own controls. */
const ownOptions = new Set(['events', 'type', 'isDefault']);

function seenIn(resource: string, shape: Shape): { keys: string[]; options: string[] } {
  const keys: string[] = [];
  const options: string[] = [];
  for (const { key, definition } of propertiesOf(shape)) {
    if (unseen.has(key)) continue;
    keys.push(`${resource}.key.${key}`);
    const { element, valueType } = definition;
    const parts = [definition, ...[element, valueType].flatMap((part) => (part ? [unwrapped(part)] : []))];
    for (const part of parts) {
      if (!ownOptions.has(key))
        options.push(...(optionsOf(part) ?? []).map((option) => `${key}.${String(option)}`));
      if (ownControls.has(key)) continue;
      const inner = seenIn(resource, part.shape ?? {});
      keys.push(...inner.keys);
      options.push(...inner.options);
    }
  }
  return { keys, options };
}

const contractOf = (resource: string, verb: string): Contract => {
  const contract = (registry as Readonly<Record<string, Readonly<Record<string, Contract>>>>)[resource]?.[
    verb
  ];
  if (contract === undefined) throw new Error(`There is no operation ${resource}.${verb}.`);
  return contract;
};
const shapes = [
  ...Object.entries(forms).flatMap(([resource, verbs]) =>
    verbs.map((verb) => ({ resource, shape: inputOf(contractOf(resource, verb)).shape })),
  ),
  ...Object.values(fieldKindOptions).flatMap(({ settings, validations }) =>
    [settings, validations].map(({ shape }) => ({ resource: 'fields', shape: shape })),
  ),
];

const sources = readdirSync(admin, { recursive: true, encoding: 'utf8' })
  .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  .map((name) => readFileSync(path.join(admin, name), 'utf8'));

/** Words of the API, which people who write content do not know. */
const apiWords =
  /`|\b[Nn]ull\b|\bapiName\b|contentTypeApiName|\bsiteIds?\b|entryId(?!\})|\bUUID\b|_slug|in_review|BCP 47|\bCIDR\b|\bPUT\b|expected string|unexpected_status|\b(entry|media|site)\.\w+ed\b/;

describe('forms made from contracts', () => {
  it('every contract that a screen shows as a form is checked here', () => {
    const named = sources.flatMap((source) => [
      ...[...source.matchAll(/contracts: ([a-z]\w+)/g)].map(([, resource = '']) => resource),
      ...[...source.matchAll(/contract=\{(\w+)\.\w+\}/g)].map(([, resource = '']) => resource),
    ]);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((resource) => !Object.hasOwn(forms, resource))).toEqual([]);
  });

  it('every key and option has a label, so that none is shown by its name in the API', () => {
    const seen = shapes.map(({ resource, shape }) => seenIn(resource, shape));
    const keys = seen.flatMap((one) => one.keys);
    const nameless = keys.filter((key) => !has(key) && !has(`key.${key.split('.').at(-1) ?? ''}`));
    expect([...new Set(nameless)]).toEqual([]);
    const options = seen.flatMap((one) => one.options);
    const bare = options.filter(
      (option) =>
        !/^[\w]+\.\d+$/.test(option) &&
        !has(`option.${option}`) &&
        !has(`option.${option.split('.')[1] ?? ''}`),
    );
    expect([...new Set(bare)]).toEqual([]);
    expect(keys.length).toBeGreaterThan(100);
  });

  it('descriptions of contracts are not shown, and hints are written in every language', () => {
    expect(sources.filter((source) => source.includes('.meta()?.description'))).toEqual([]);
    const hints = Object.keys(en).filter((key) => key.includes('hint.')) as (keyof typeof en)[];
    const untranslated = hints.filter((key) => en[key] !== '' && en[key] === de[key]);
    expect(untranslated).toEqual([]);
  });

  it('no text has words of the API', () => {
    const texts = [...Object.entries(en), ...Object.entries(de)];
    expect(texts.filter(([, text]) => apiWords.test(text))).toEqual([]);
  });

  it('everything that operations of releases are refused with has words for people', () => {
    const { releases, redirects, tree, entries } = registry;
    const ofItems: readonly Contract[] = [
      redirects.create,
      redirects.update,
      redirects.delete,
      tree.moveNode,
    ];
    const contracts = [...Object.values(releases), ...ofItems, entries.publish, entries.unpublish];
    const codes = contracts.flatMap(({ _def }: Contract) => _def.meta?.errors ?? []);
    expect(codes.length).toBeGreaterThan(40);
    // No form names a precondition or sends nothing.
    const unseenCodes = new Set(['precondition_failed', 'no_update_fields']);
    expect(codes.filter((code) => !unseenCodes.has(code) && !has(`failure.${code}`))).toEqual([]);
  });

  it('every event has a group and a verb in words', () => {
    const parts = eventNames.map((name) => name.split('.') as [string, string]);
    const missing = parts.filter(
      ([subject, verb]) => !has(`event.group.${subject}`) || !has(`event.${verb}`),
    );
    expect(missing).toEqual([]);
  });
});
