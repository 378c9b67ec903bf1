import { defineConfig } from '@playwright/test'

const CI = process.env['CI'] !== undefined

/** End-to-end tests: the built console on a real server with a real database, agent and browser, two files at a time. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: '../test-results/e2e',
  fullyParallel: false,
  workers: 2,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  retries: 0,
  forbidOnly: CI,
  reporter: [['list'], ['json']],
  use: {
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env['WEFT_BROWSER'] ?? '/usr/bin/chromium',
      args: [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
