/** Chromium with the built extension, which is loaded from a folder as developers do. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BrowserContext, chromium, type Page, type Worker } from '@playwright/test'
import { test as base, expect } from './fixtures.ts'
import { startUnreliableProxy, type UnreliableProxy } from './unreliable-proxy.ts'

const buildScript = fileURLToPath(new URL('../extension/build.ts', import.meta.url))

export interface ExtensionBrowser {
  context: BrowserContext
  /** Opens a page of the extension in a tab: `options.html`. */
  open(file: string): Promise<Page>
  /** Opens the popup in a tab, as if the user had clicked the icon while `page` was shown. */
  openPopup(page: Page): Promise<Page>
  /** Runs a function in the background script. */
  inBackground: Worker['evaluate']
}

interface Fixtures {
  extension: ExtensionBrowser
  /** The site as the extension reaches it. */
  siteProxy: UnreliableProxy
}

interface WorkerFixtures {
  /** The folder of the extension for Chrome. */
  extensionFolder: string
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  extensionFolder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'reelmark-extension-'))
      await promisify(execFile)(process.execPath, [buildScript, path.join(folder, 'built')])
      const loaded = path.join(folder, 'loaded')
      await cp(path.join(folder, 'built/chrome'), loaded, { recursive: true })
      await allowInAdvance(path.join(loaded, 'manifest.json'))
      await use(loaded)
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  siteProxy: async ({ site }, use) => {
    const proxy = await startUnreliableProxy(site)
    await use(proxy)
    await proxy.close()
  },
  extension: async ({ extensionFolder, launchOptions, siteProxy }, use) => {
    const context = await chromium.launchPersistentContext('', {
      ...launchOptions,
      args: [
        ...(launchOptions.args ?? []),
        `--disable-extensions-except=${extensionFolder}`,
        `--load-extension=${extensionFolder}`,
      ],
      baseURL: siteProxy.url,
      serviceWorkers: 'allow',
    })
    const errors: string[] = []
    context.on('weberror', (error) => errors.push(String(error.error())))
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    await use(controlExtension(context, worker))
    await context.close()
    expect(errors).toEqual([])
  },
})

/**
 * Adds the permissions that users give later: for their site, the page under the popup, and their tabs. Playwright can
 * neither answer the browser's questions nor click the icon.
 */
async function allowInAdvance(file: string): Promise<void> {
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  manifest.permissions.push('tabs')
  manifest.host_permissions = ['http://localhost/*', 'http://127.0.0.1/*']
  await writeFile(file, JSON.stringify(manifest))
}

function controlExtension(context: BrowserContext, worker: Worker): ExtensionBrowser {
  const origin = `chrome-extension://${new URL(worker.url()).host}`
  const open = async (file: string) => {
    const page = await context.newPage()
    await page.goto(`${origin}/${file}`)
    return page
  }
  return {
    context,
    open,
    inBackground: worker.evaluate.bind(worker),
    async openPopup(page) {
      const popup = await context.newPage()
      // In a tab, the popup itself would be the active tab.
      await popup.addInitScript((url) => {
        const { tabs } = chrome
        const query = tabs.query.bind(tabs)
        tabs.query = (async (what: chrome.tabs.QueryInfo) =>
          what.active ? (await query({})).filter((tab) => tab.url === url) : query(what)) as typeof query
      }, page.url())
      await popup.setViewportSize({ width: 400, height: 600 })
      await popup.goto(`${origin}/popup.html`)
      return popup
    },
  }
}
