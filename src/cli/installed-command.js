#!/usr/bin/env node
// The command of an installed package: `headwater start`, and the commands of the service and of its users.
import process from 'node:process';

/** Files in `dist` by command; every other one is one of the users of a running service. */
const commands = {
  start: 'main',
  migrate: 'migrate',
  'create-admin': 'create-admin',
  seed: 'seed',
  import: 'import',
  rebuild: 'rebuild',
  reindex: 'reindex',
  audit: 'audit',
  backup: 'backup',
  restore: 'restore',
  media: 'media',
  doctor: 'doctor',
  monitoring: 'monitoring',
};

/** Exports of other systems are imported into a running service, pages from a file into the database. */
const systems = ['contentful', 'csv', 'jsonl', 'markdown', 'project', 'sanity', 'strapi', 'wordpress'];

const [name = '', first = ''] = process.argv.slice(2);
const isOfUsers = name === 'import' && systems.includes(first);
const file = Object.hasOwn(commands, name) && !isOfUsers ? commands[name] : undefined;
if (file !== undefined) process.argv.splice(2, 1);
await import(new URL(`../dist/${file ?? 'headwater'}.js`, import.meta.url).href);
