import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
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

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), precompress()],
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
          // What the entry needs at once is one file, and so are the icons that many pages draw, each of which is
          // smaller than the asking for it; all else is parted by the pages that need it.
          groups: [
            { name: 'base', tags: ['$initial'], priority: 2 },
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
