#!/usr/bin/env node
// What `npx headwater` starts: the built command, built before where it is not.
import path from 'node:path';
import { bringBuildUpToDate } from './build.js';

const root = path.join(import.meta.dirname, '../..');
await bringBuildUpToDate(root);
await import(new URL('../../dist/headwater.js', import.meta.url).href);
