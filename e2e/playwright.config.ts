import { existsSync } from 'node:fs'
import { defineConfig, devices } from '@playwright/test'

const systemChromium = '/usr/bin/chromium'

/**
 * What the browser does without. The last such list counts, so the first are those that Playwright 1.65 leaves out; the
 * other two are for an address bar that nobody sees, and took a third of the time of each new page.
 */
const withoutFeatures = [
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
  // A test that passes only the second time is broken.
  retries: 0,
  workers: 2,
  fullyParallel: true,
  // A busy machine is slow, not wrong.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    ...devices['Desktop Chrome'],
    // What the offline page's worker fetches, a test could not answer (`page.route`); offline.test.ts allows it.
    serviceWorkers: 'block',
    // A trace of each test takes longer than the test; `--trace on` makes one where it is needed.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(existsSync(systemChromium) ? { executablePath: systemChromium } : {}),
      args: [
        // Chromium's sandbox does not work as root; the pages are our own.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${withoutFeatures.join(',')}`,
      ],
    },
  },
})
