/** What every journey gets: one running site per worker, and a browser whose every complaint fails the test. */
import { readFile } from 'node:fs/promises'
import { test as base, expect, type Page, type Request } from '@playwright/test'
import { startOidcProvider, type TestOidcProvider } from '@reelmark/server/testing/oidc-provider.ts'
import type axe from 'axe-core'
import { type FakeWebsites, startFakeWebsites } from './fake-websites.ts'
import { createDataFolder, freePort, type Site, startSite } from './site-process.ts'

interface WorkerFixtures {
  websites: FakeWebsites
  /** Another site to sign in through, and the port where it expects ours. */
  oidc: { provider: TestOidcProvider; port: string }
  site: Site
}

interface Fixtures {
  /** A second person: a browser of their own. */
  otherPage: Page
  /** Console messages that this test expects: none, unless it adds a pattern. */
  expectedNoise: RegExp[]
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  websites: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const web = await startFakeWebsites()
      await use(web)
      await web.close()
    },
    { scope: 'worker' },
  ],
  oidc: [
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
    async ({ websites: web, oidc: { provider, port } }, use) => {
      const folder = await createDataFolder()
      const site = await startSite(folder.path, { PORT: port, OUTBOUND_ALLOW: web.host, ...provider.env })
      await use(site)
      const code = await site.stop()
      await folder.remove()
      expect(code, site.output()).toBe(0)
      expect(site.output(), 'nothing logged as an error').not.toMatch(/"level":(50|60)/)
    },
    // A limit of its own: the first journey of a worker does not pay for the start.
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
  expectedNoise: async ({}, use) => use([]),
  page: async ({ page, javaScriptEnabled, expectedNoise }, use) => {
    const complaints = recordPageErrors(page)
    if (javaScriptEnabled) waitForHydration(page)
    await use(page)
    expectNoPageErrors(complaints, expectedNoise)
  },
  otherPage: async ({ browser, site, contextOptions, viewport, userAgent, expectedNoise }, use) => {
    const context = await browser.newContext({
      ...contextOptions,
      viewport,
      baseURL: site.url,
      ...(userAgent && { userAgent }),
    })
    const page = await context.newPage()
    const complaints = recordPageErrors(page)
    waitForHydration(page)
    await use(page)
    await context.close()
    expectNoPageErrors(complaints, expectedNoise)
  },
})

function recordPageErrors(page: Page): string[] {
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

function expectNoPageErrors(complaints: string[], expected: RegExp[]): void {
  expect(complaints.filter((line) => !expected.some((pattern) => pattern.test(line)))).toEqual([])
}

/** The bell's connection, which stays open. */
export const unreadStreamUrl = '**/api/notifications/stream/'

/** What a page has asked for and not been answered yet, its pictures and the bell's stream aside. */
const pendingRequests = new WeakMap<Page, Set<Request>>()

function trackRequests(page: Page): Set<Request> {
  const requests = new Set<Request>()
  pendingRequests.set(page, requests)
  page.on('request', (request) => {
    // Of a page that is left nobody tells what became of its requests.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requests.clear()
    else if (['script', 'fetch'].includes(request.resourceType()) && !request.url().endsWith('/stream/'))
      requests.add(request)
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
  return requests
}

/**
 * Has `goto` and `reload` do as people do, who are slower: they leave when the server has what was pressed, which shows
 * before, and go on when the page does what one presses: it comes whole, and a press or a key that is quicker than its
 * scripts does nothing. On what is no page of ours, as ever.
 */
function waitForHydration(page: Page): void {
  const requests = trackRequests(page)
  const isSent = () => [...requests].every((request) => request.method() === 'GET')
  const alive = () =>
    page.waitForFunction(() => {
      if (document.getElementById('content') === null) return true
      // Each part of a page is taken over by itself.
      const isTaken = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))
      const controls = [...document.querySelectorAll('#content :is(button, input, textarea, select)')]
      return document.documentElement.dataset.alive !== undefined && controls.every(isTaken)
    })
  const patiently =
    <How extends unknown[], Reply>(go: (...how: How) => Promise<Reply>) =>
    async (...how: How): Promise<Reply> => {
      await expect.poll(isSent, { message: 'what was sent is answered', timeout: 30_000 }).toBe(true)
      const reply = await go.apply(page, how)
      await alive()
      return reply
    }
  page.goto = patiently(page.goto)
  page.reload = patiently(page.reload)
}

/**
 * Has the page's countdowns stand still from the start, so that nobody is led away while they are looked at. To be
 * called before the page is opened; answers what lets them run, or has them wait again.
 */
export async function freezeCountdowns(page: Page): Promise<(run: boolean) => Promise<void>> {
  await page.addInitScript(() => {
    const real = window.setInterval
    window.setInterval = ((work: () => void, ms: number) =>
      real(() => {
        if (ms !== 1000 || document.documentElement.dataset.countdowns === 'run') work()
      }, ms)) as typeof window.setInterval
  })
  return (run) =>
    page.evaluate(
      (to) => {
        document.documentElement.dataset.countdowns = to
      },
      run ? 'run' : 'wait',
    )
}

/**
 * Waits until a page has asked for all that it asks for by itself: its pictures that are seen have come, and nothing
 * else any more. What stays open, as the bell's stream does, does not count; `networkidle` would wait for its end.
 */
export async function waitForIdle(page: Page): Promise<void> {
  let before = -1
  const look = () => {
    const near = [...document.images].filter((image) => {
      const { top, bottom } = image.getBoundingClientRect()
      return image.loading !== 'lazy' || (bottom > 0 && top < innerHeight)
    })
    const isWhole = document.readyState === 'complete' && near.every(({ complete }) => complete)
    return isWhole ? performance.getEntriesByType('resource').length : -1
  }
  const isSettled = async () => {
    const now = (pendingRequests.get(page)?.size ?? 0) === 0 ? await page.evaluate(look) : -1
    const same = now !== -1 && now === before
    before = now
    return same
  }
  await expect.poll(isSettled, { intervals: [300], timeout: 30_000 }).toBe(true)
}

const axeSource = readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Fails on any violation of WCAG 2.2 AA, and on a page wider than its window. */
export async function expectAccessible(page: Page): Promise<void> {
  // Once a page: most of the time of a check was this, and the empty page that @axe-core/playwright opens for each.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await axeSource)
  const { found, overflow } = await page.evaluate(async () => {
    // What is still fading in has other colours than it will have.
    for (const each of document.getAnimations()) {
      if (each.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) each.finish()
    }
    const { run } = (window as unknown as { axe: typeof axe }).axe
    const { violations } = await run(
      { exclude: [['iframe']] },
      {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
        resultTypes: ['violations'],
        iframes: false,
      },
    )
    return {
      found: violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
      overflow: document.documentElement.scrollWidth - window.innerWidth,
    }
  })
  expect(found, `axe on ${page.url()}`).toEqual([])
  expect(overflow, `sideways scroll on ${page.url()}`).toBeLessThanOrEqual(0)
}

/** Widths of a phone and of a desk. */
const widths = [390, 1280]

/** `expectAccessible` as the window is, and as wide as the other kind of device; what is open stays so. */
export async function expectAccessibleAtBothWidths(page: Page): Promise<void> {
  const size = page.viewportSize()
  if (size === null) throw new Error('the window has no size')
  await expectAccessible(page)
  for (const width of widths.filter((each) => each !== size.width)) {
    await page.setViewportSize({ width, height: size.height })
    await expectAccessible(page)
  }
  await page.setViewportSize(size)
}

/** A name nobody has had in this run. */
export function uniqueName(prefix: string): string {
  return `${prefix}${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`
}

export interface Account {
  username: string
  email: string
  password: string
}

export function newAccount(prefix = 'ana'): Account {
  const username = uniqueName(prefix)
  return { username, email: `${username}@example.org`, password: 'a quiet harbour at night' }
}

export { expect }
