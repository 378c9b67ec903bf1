import { defineConfig } from 'vitest/config'

/**
 * Unit tests (`*.test.ts`) need nothing but Node; integration tests (`*.it.test.ts`) start a real
 * Postgres, a real hub or a real browser. End-to-end tests live in e2e/.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{apps,packages}/*/{src,tests}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/dist/**', '**/*.it.test.ts'],
          environment: 'node',
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{apps,packages}/*/{src,tests}/**/*.it.test.ts'],
          environment: 'node',
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
})
