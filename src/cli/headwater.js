#!/usr/bin/env node
// What `npx headwater` starts. The sources are TypeScript: tsx lets node read them as they are.
import { register } from 'tsx/esm/api';

register();
await import('./headwater.ts');
