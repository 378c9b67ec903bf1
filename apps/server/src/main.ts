import './boot/quick-imports.ts'
import { readSettings, StartError } from './settings.ts'

// The settings are judged before the rest of the program is loaded.
try {
  const settings = readSettings(process.env)
  const { serve } = await import('./serve.ts')
  await serve(settings)
} catch (failure) {
  const { asStartError } = await import('./boot/start-errors.ts')
  const error = asStartError(failure)
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
}
