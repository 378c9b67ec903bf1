/**
 * Schemas would try whether they may compile themselves to code; the page's policy forbids it and reports the try. Zod
 * looks for its configuration here when it is loaded, which is long after the page's first lines: calling its `config`
 * would come after the first schemas are made.
 */
Reflect.set(globalThis, '__zod_globalConfig', { jitless: true })
