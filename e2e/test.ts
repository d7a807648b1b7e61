/** What every journey gets: one running site per worker, and a browser whose every complaint fails the test. */
import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { type OidcProviderInTest, startOidcProvider } from '@reelmark/server/testing/oidc-provider.ts'
import { type FakeWeb, startFakeWeb } from './fake-web.ts'
import { dataFolder, freePort, type Site, startSite } from './site.ts'

interface WorkerFixtures {
  web: FakeWeb
  /** Another site to sign in through, and the port where it expects ours. */
  vouching: { provider: OidcProviderInTest; port: string }
  site: Site
}

interface Fixtures {
  /** A second person: a browser of their own. */
  otherPage: Page
  /** Console messages that this test expects: none, unless it adds a pattern. */
  expectedNoise: RegExp[]
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  web: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const web = await startFakeWeb()
      await use(web)
      await web.close()
    },
    { scope: 'worker' },
  ],
  vouching: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const port = String(await freePort())
      const provider = await startOidcProvider({ publicUrl: `http://localhost:${port}` })
      await use({ provider, port })
      await provider.close()
    },
    { scope: 'worker' },
  ],
  site: [
    async ({ web, vouching: { provider, port } }, use) => {
      const folder = await dataFolder()
      const site = await startSite(folder.path, { PORT: port, OUTBOUND_ALLOW: web.host, ...provider.env })
      await use(site)
      const code = await site.stop()
      await folder.remove()
      expect(code, site.output()).toBe(0)
      expect(site.output(), 'nothing logged as an error').not.toMatch(/"level":(50|60)/)
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
  expectedNoise: async ({}, use) => use([]),
  page: async ({ page, expectedNoise }, use) => {
    const complaints = listen(page)
    await use(page)
    expectQuiet(complaints, expectedNoise)
  },
  otherPage: async ({ browser, site, contextOptions, viewport, userAgent, expectedNoise }, use) => {
    const context = await browser.newContext({
      ...contextOptions,
      viewport,
      baseURL: site.url,
      ...(userAgent && { userAgent }),
    })
    const page = await context.newPage()
    const complaints = listen(page)
    await use(page)
    await context.close()
    expectQuiet(complaints, expectedNoise)
  },
})

function listen(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.text() === 'Service Worker registration blocked by Playwright') return
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  // Players of other hosts are answered here: a test never reaches the web.
  void page.route(/^https:\/\//, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>player</title><p>A player</p>' }),
  )
  return complaints
}

function expectQuiet(complaints: string[], expected: RegExp[]): void {
  expect(complaints.filter((line) => !expected.some((pattern) => pattern.test(line)))).toEqual([])
}

/** Fails on any violation of WCAG 2.2 AA, and on a page wider than its window. */
export async function expectAccessible(page: Page): Promise<void> {
  // What is still fading in has other colours than it will have.
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter((each) => each.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(ending.map((each) => each.finished))
  })
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .exclude('iframe')
    .analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
  expect(found, `axe on ${page.url()}`).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, `sideways scroll on ${page.url()}`).toBeLessThanOrEqual(0)
}

/** A name nobody has had in this run. */
export function newName(prefix: string): string {
  return `${prefix}${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`
}

export interface Account {
  username: string
  email: string
  password: string
}

export function newAccount(prefix = 'ana'): Account {
  const username = newName(prefix)
  return { username, email: `${username}@example.org`, password: 'a quiet harbour at night' }
}

/** Registers by the form, and continues home without waiting for the countdown. */
export async function registerBy(page: Page, account: Account): Promise<void> {
  await page.goto('/register')
  await page.getByLabel('Username').fill(account.username)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByLabel('Confirm Password').fill(account.password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByText("Your account has been created and you're now logged in!")).toBeVisible()
  await page
    .getByRole('button', { name: 'Continue to Home Now' })
    .or(page.getByRole('link', { name: 'Continue to Home Now' }))
    .click()
  await expect(page).toHaveURL('/')
}

export { expect }
