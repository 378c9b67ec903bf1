// `npm start`: from a fresh clone to a running Weft. Installs, builds, and hands over to the server.
import { become, checkMachine, ensureBrowser, ensureConsole, ensurePackages } from './lib.mjs'

checkMachine()
const wantsAgent = !['0', 'false', 'no', 'off'].includes((process.env.WEFT_LOCAL_AGENT ?? '').toLowerCase())
// Chromium comes from the system's packages, so it can arrive beside ours.
const browser = wantsAgent ? ensureBrowser() : Promise.resolve()
await ensurePackages()
await ensureConsole()
await browser
become('apps/server/src/main.ts', process.argv.slice(2))
