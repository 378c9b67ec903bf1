// `npm run agent -- --server URL --join CODE`: this machine becomes a client of a Weft server.
import { become, checkMachine, ensureBrowser, ensurePackages } from './lib.mjs'

checkMachine()
await Promise.all([ensurePackages(), ensureBrowser()])
become('apps/agent/src/main.ts', process.argv.slice(2))
