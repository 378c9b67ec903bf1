import './boot/quick-imports.ts'
import { readSettings, StartError } from './settings.ts'

// The settings are judged before the rest of the program is loaded.
try {
  const settings = readSettings(process.env)
  const [command, ...names] = process.argv.slice(2)
  if (command === undefined) {
    const { serve } = await import('./serve.ts')
    await serve(settings)
  } else if (command === 'reset-password') {
    const { resetPassword } = await import('./commands/reset-password.ts')
    await resetPassword(settings, names)
  } else throw new StartError(`Unknown command: ${command} (there is: reset-password NAME)`)
} catch (failure) {
  const { asStartError } = await import('./boot/start-errors.ts')
  const error = asStartError(failure)
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
}
