import { existsSync } from 'node:fs'
import { defineConfig, devices } from '@playwright/test'
import { storeTemporaryFilesInMemory } from '@reelmark/server/testing/memory-folder.ts'

storeTemporaryFilesInMemory()

const systemChromium = '/usr/bin/chromium'

/**
 * Browser features to disable. Only the last such list has an effect, so it repeats those that Playwright 1.65 disables.
 * The last two belong to the address bar's popup and took a third of the time of each new page.
 */
const disabledFeatures = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

export default defineConfig({
  testDir: '.',
  testMatch: '*.test.ts',
  outputDir: '../.cache/e2e',
  forbidOnly: Boolean(process.env.CI),
  // Only `npm run test:full` repeats a failed test, and lists those that passed on the second attempt.
  retries: 0,
  workers: 2,
  fullyParallel: true,
  // Long, because a busy machine is slow.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    ...devices['Desktop Chrome'],
    // `page.route` cannot intercept requests of a service worker; offline.test.ts allows it.
    serviceWorkers: 'block',
    // Recording a trace takes longer than the test; `--trace on` records one when needed.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(existsSync(systemChromium) ? { executablePath: systemChromium } : {}),
      args: [
        // Chromium's sandbox does not work as root, and the pages are trusted.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${disabledFeatures.join(',')}`,
      ],
    },
  },
})
