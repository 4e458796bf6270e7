/** Zod would compile its checks, which the content security policy refuses. Read when a shape is made. */
(globalThis as { __zod_globalConfig?: { jitless: boolean } }).__zod_globalConfig = { jitless: true };
