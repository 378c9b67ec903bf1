import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstFiles } from './build/first-files.ts'
import { precompress } from './build/precompress.ts'

const server = process.env['WEFT_DEV_SERVER'] ?? 'http://127.0.0.1:4600'
const forwarded = [
  '/api-internal',
  '/api-user',
  '/api-campaign',
  '/api-elsa',
  '/api-resources',
  '/api-report',
  '/api-docs',
]

const first = firstFiles(import.meta.dirname)

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), first.plugin, precompress()],
  // The sandbox of previews loads QuickJS by `import()`.
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // One file each: what the entry needs at once, the sign-in, the frame with its lists, and the icons that many
          // pages draw; all else is parted by the pages that need it.
          groups: [
            { name: 'base', tags: ['$initial'], priority: 4 },
            { name: 'sign-in', test: first.ofSignIn, priority: 3 },
            { name: 'frame', test: first.ofFrame, priority: 2 },
            { name: 'icons', test: /@tabler/, minShareCount: 8, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 4610,
    proxy: {
      ...Object.fromEntries(forwarded.map((prefix) => [prefix, { target: server }])),
      '/hub': { target: server, ws: true },
    },
  },
})
