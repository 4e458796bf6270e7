#!/usr/bin/env node
// Started by `npx headwater`: builds if necessary, then runs the command.
import path from 'node:path';
import { ensureBuild } from './build.js';

const root = path.join(import.meta.dirname, '../..');
await ensureBuild(root);
await import(new URL('../../dist/headwater.js', import.meta.url).href);
