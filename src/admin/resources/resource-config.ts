import { limits } from '../../../contracts/limits.js';
import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Project } from '../api/project-data.js';
import type { TextKey } from '../texts/index.js';
import type { Contract } from './contract.js';
import type { Values } from './form-input.js';
import type { PropertyEditors } from './control-props.js';

/** Which keys a form shows, and how. */
export interface FormConfig {
  /** Keys in the order of the form; others follow in the order of the contract. */
  readonly order?: readonly string[];
  readonly hidden?: readonly string[];
  /** By key, or by path such as `filters.siteIds`. */
  readonly editors?: PropertyEditors;
  /** Values that something new starts with. */
  readonly start?: Values;
  /** Keys of something new that follow the name until they are typed. */
  readonly named?: Readonly<Record<string, (name: string) => string>>;
  /** Which keys other values make meaningful; absent: all. */
  readonly isShown?: (key: string, values: Values) => boolean;
  /** The input that the values of the form mean, where one choice stands for several keys. */
  readonly complete?: (values: Values) => Values;
}

/** An operation on one item besides changing it. */
export interface ItemAction<Item> {
  readonly verb: string;
  readonly label: TextKey;
  /** Says what will happen; `{name}` is the item. */
  readonly question?: TextKey;
  /** Reported when it is done, if need be depending on the answer. */
  readonly done: TextKey | ((data: Values) => TextKey);
  /** Secrets of the answer to show; absent: all. */
  readonly shows?: (data: Values) => readonly string[];
  readonly isDangerous?: boolean;
  readonly isOffered?: (item: Item) => boolean;
  readonly form?: FormConfig;
}

export interface FilterOption {
  readonly value: string;
  readonly label: string;
}

/** A resource of the API as a list with forms. See the README of the app. */
export interface ResourceConfig<Item extends object> {
  /** Group of the operations, such as `redirects`. */
  readonly name: string;
  readonly contracts: Readonly<Record<string, Contract>>;
  readonly title: TextKey;
  readonly hint?: TextKey;
  readonly createLabel: TextKey;
  /** What an item is called. */
  readonly nameOf: (item: Item) => string;
  /** The key of operations on an item, and its value in the item; by default `id`. */
  readonly key?: { readonly input: string; readonly item: keyof Item & string };
  /** Keys of the item. The first is the link to it; narrow screens have the first two. */
  readonly columns: readonly (keyof Item & string)[];
  readonly cells?: { readonly [Key in keyof Item]?: (item: Item) => ReactNode };
  /** Keys of the item that its dialog shows besides the form. */
  readonly facts?: readonly (keyof Item & string)[];
  /** Keys of the input of the list, with options or yes and no. */
  readonly filters?: readonly string[];
  /** Options of filters by things of the project, such as sites. With one option or none, the filter is not shown. */
  readonly filterOptions?: Readonly<Record<string, (project: Project) => readonly FilterOption[]>>;
  readonly form?: FormConfig;
  /** For forms with more than single values. */
  readonly isWide?: boolean;
  /** Values of the form of an item, where its keys differ from those of the input. */
  readonly valuesOf?: (item: Item) => Values;
  readonly canChange?: (item: Item) => boolean;
  readonly actions?: readonly ItemAction<Item>[];
  /** Items that change by themselves: the list is read again every ten seconds. */
  readonly isMoving?: (item: Item) => boolean;
  /** Path of a separate screen below the project, used instead of the dialog. */
  readonly screenOf?: (item: Item) => string;
  /** Whether that screen is opened with what was created. */
  readonly opensCreated?: boolean;
  /** Reported when something was created; absent: that it was saved. */
  readonly created?: (item: Values) => string;
  /** Queries of other resources that a change touches. */
  readonly refreshes?: readonly QueryKey[];
}

/** Letters and digits of other scripts have no place in names of programs. */
const partsOf = (name: string): string[] =>
  name
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '');

/** "Blog post" as `blogPost`. */
export const apiNameOf = (name: string): string =>
  partsOf(name)
    .map((part, index) =>
      index === 0
        ? part.charAt(0).toLowerCase() + part.slice(1)
        : part.charAt(0).toUpperCase() + part.slice(1),
    )
    .join('')
    .replace(/^\d+/, '')
    .slice(0, limits.apiNameLength);

const SLUG_LENGTH = 63;

/** "Staging area" as `staging-area`. */
export const slugOf = (name: string): string =>
  partsOf(name).join('-').toLowerCase().slice(0, SLUG_LENGTH).replace(/-+$/, '');

/** Infers the item from its type. */
export const resourceOf = <Item extends object>(config: ResourceConfig<Item>): ResourceConfig<Item> => config;

/** Deletes the item. */
export const deletion = <Item>(own: Partial<ItemAction<Item>> = {}): ItemAction<Item> => ({
  verb: 'delete',
  label: 'resource.delete',
  question: 'resource.deleteQuestion',
  done: 'resource.deleted',
  isDangerous: true,
  ...own,
});
