// `npm start`: from a fresh clone to a running Weft. Installs, builds, and hands over to the server. With words after `--`,
// a command for the machine: `npm start -- reset-password NAME`.
import { become, checkMachine, ensureBrowser, ensureConsole, ensurePackages } from './lib.mjs'

checkMachine()
const command = process.argv.slice(2)
if (command.length > 0) {
  // Something to be done on the machine, such as `npm start -- reset-password NAME`: no console and no browser for that.
  await ensurePackages()
  become('apps/server/src/main.ts', command)
} else {
  await start()
}

async function start() {
  const wantsAgent = !['0', 'false', 'no', 'off'].includes((process.env.WEFT_LOCAL_AGENT ?? '').toLowerCase())
  // Chromium comes from the system's packages, so it can arrive beside ours.
  const browser = wantsAgent ? ensureBrowser() : Promise.resolve()
  await ensurePackages()
  await ensureConsole()
  await browser
  become('apps/server/src/main.ts', [])
}
