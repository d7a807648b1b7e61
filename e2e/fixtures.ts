/** Fixtures of every end-to-end test: one site per worker, and pages that fail the test on browser errors. */
import { readFile } from 'node:fs/promises'
import { test as base, expect, type Locator, type Page, type Request } from '@playwright/test'
import { startOidcProvider, type TestOidcProvider } from '@reelmark/server/testing/oidc-provider.ts'
import type axe from 'axe-core'
import { type FakeWebsites, startFakeWebsites } from './fake-websites.ts'
import { createDataFolder, freePort, type Site, startSite } from './site-process.ts'

export interface WorkerFixtures {
  websites: FakeWebsites
  /** A local OpenID Connect provider, and the port on which it expects the site. */
  oidc: { provider: TestOidcProvider; port: string }
  site: Site
}

export interface Fixtures {
  /** The page of a second user in a separate browser context. */
  otherPage: Page
  /** Patterns of console messages that the test expects. Empty unless the test adds one. */
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
    // Has its own timeout, so that the first test of a worker does not fail because of the start.
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
  expectedNoise: async ({}, use) => use([]),
  page: async ({ page, javaScriptEnabled, expectedNoise }, use) => {
    const errors = recordPageErrors(page)
    if (javaScriptEnabled) waitForHydration(page)
    await use(page)
    expectNoPageErrors(errors, expectedNoise)
  },
  otherPage: async ({ browser, site, contextOptions, viewport, userAgent, expectedNoise }, use) => {
    const context = await browser.newContext({
      ...contextOptions,
      viewport,
      baseURL: site.url,
      ...(userAgent && { userAgent }),
    })
    const page = await context.newPage()
    const errors = recordPageErrors(page)
    waitForHydration(page)
    await use(page)
    await context.close()
    expectNoPageErrors(errors, expectedNoise)
  },
})

function recordPageErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.text() === 'Service Worker registration blocked by Playwright') return
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  // Requests to other hosts get a placeholder page: tests never use the internet.
  void page.route(/^https:\/\//, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>player</title><p>A player</p>' }),
  )
  return errors
}

function expectNoPageErrors(errors: string[], expected: RegExp[]): void {
  expect(errors.filter((line) => !expected.some((pattern) => pattern.test(line)))).toEqual([])
}

/** The request of the notification stream, which stays open. */
export const unreadStreamUrl = '**/api/notifications/stream/'

/** Unanswered script and API requests per page, without the notification stream. */
const pendingRequests = new WeakMap<Page, Set<Request>>()

function trackRequests(page: Page): Set<Request> {
  const requests = new Set<Request>()
  let isLeaving = false
  pendingRequests.set(page, requests)
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) isLeaving = true
    else if (['script', 'fetch'].includes(request.resourceType()) && !request.url().endsWith('/stream/'))
      requests.add(request)
  })
  page.on('framenavigated', (frame) => {
    // Playwright reports no end for requests of a page that is left, and that page can send requests until the next
    // page is received.
    if (isLeaving && frame === page.mainFrame()) {
      requests.clear()
      isLeaving = false
    }
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
  return requests
}

/**
 * Makes `goto` and `reload` behave as a user would. Before leaving a page they wait until its writes are answered.
 * Afterwards they wait for hydration, because the server-rendered page ignores input until then. Pages of other sites
 * are not affected.
 */
function waitForHydration(page: Page): void {
  const requests = trackRequests(page)
  const hasNoPendingWrites = () => [...requests].every((request) => request.method() === 'GET')
  const waitUntilHydrated = () =>
    page.waitForFunction(() => {
      // A page that is still being received has no content yet.
      if (document.readyState === 'loading') return false
      if (document.getElementById('content') === null) return true
      // React hydrates each part of a page separately.
      const isHydrated = (element: Element) =>
        Object.keys(element).some((key) => key.startsWith('__reactProps'))
      const controls = [...document.querySelectorAll('#content :is(button, input, textarea, select)')]
      return document.documentElement.dataset.alive !== undefined && controls.every(isHydrated)
    })
  const withWaiting =
    <Args extends unknown[], Reply>(navigate: (...args: Args) => Promise<Reply>) =>
    async (...args: Args): Promise<Reply> => {
      await expect.poll(hasNoPendingWrites, { message: 'writes are answered', timeout: 30_000 }).toBe(true)
      const reply = await navigate.apply(page, args)
      await waitUntilHydrated()
      return reply
    }
  page.goto = withWaiting(page.goto)
  page.reload = withWaiting(page.reload)
}

/**
 * Pauses the page's countdowns from the start, so that no redirect happens during the test. Call it before the page is
 * opened. Returns a function that resumes or pauses them.
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

/** A phone with a touch screen, and a desktop with mouse and keyboard. */
export const screens = [
  {
    name: '390 px wide, by touch',
    device: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  },
  {
    name: '1280 px wide, by mouse and keyboard',
    device: { viewport: { width: 1280, height: 900 }, hasTouch: false, isMobile: false },
  },
]

/** Activates a control by touch on a touch screen, otherwise by mouse or with a key. */
export async function activate(control: Locator, by: 'mouse' | 'Enter' | 'Space'): Promise<void> {
  const isTouchScreen = await control.page().evaluate(() => navigator.maxTouchPoints > 0)
  if (isTouchScreen) await control.tap()
  else if (by === 'mouse') await control.click()
  else await control.press(by)
}

/** Holds a finger on a card until its dialog opens. */
export async function longPress(card: Locator): Promise<void> {
  const page = card.page()
  // A card that moves after it was measured would not be under the finger.
  await waitForIdle(page)
  const box = await card.boundingBox()
  if (box === null) throw new Error('the card is not shown')
  const touch = await page.context().newCDPSession(page)
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 4 }]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await expect(page.getByRole('dialog')).toBeVisible()
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

/** Chooses an action on a bookmark's page by keyboard: in the row of actions, or in its menu. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  const actions = page.getByRole('group', { name: 'Actions' })
  const menu = actions.getByRole('button', { name: 'More actions' })
  const button = actions.getByRole('button', { name, exact: true })
  await expect(menu.or(button).first()).toBeVisible()
  if (await button.isVisible()) return button.press('Enter')
  await menu.press('Enter')
  await page.getByRole('menuitem', { name }).press('Enter')
}

/**
 * Waits until the page is loaded, its visible images are complete and no script or API request is pending. Unlike
 * `networkidle` it ignores the notification stream, which never ends. If the page does not become idle within 30 s, the
 * error names what it waits for.
 */
export async function waitForIdle(page: Page): Promise<void> {
  let before = -1
  const countResources = () => {
    const visible = [...document.images].filter((image) => {
      const { top, bottom } = image.getBoundingClientRect()
      return image.loading !== 'lazy' || (bottom > 0 && top < innerHeight)
    })
    return {
      incomplete: visible.filter(({ complete }) => !complete).map(({ currentSrc, src }) => currentSrc || src),
      state: document.readyState,
      resources: performance.getEntriesByType('resource').length,
    }
  }
  const findPending = async () => {
    const pending = [...(pendingRequests.get(page) ?? [])].map((request) => request.url())
    if (pending.length > 0) return pending
    const { incomplete, state, resources } = await page.evaluate(countResources)
    const isUnchanged = resources === before
    before = resources
    return [
      ...incomplete,
      ...(state === 'complete' ? [] : [`document is ${state}`]),
      ...(isUnchanged ? [] : ['new resources']),
    ]
  }
  await expect.poll(findPending, { intervals: [300], timeout: 30_000 }).toEqual([])
}

const axeSource = readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Fails on any violation of WCAG 2.2 AA, and if the page is wider than its window. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, wcagTags)
}

/** Fails on any violation of the axe rules or groups of rules, and if the page is wider than its window. */
async function expectNoViolations(page: Page, runOnly: string[]): Promise<void> {
  // Injected once per page. Injecting it for each check, as @axe-core/playwright does, took most of the time.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await axeSource)
  const { found, overflow } = await page.evaluate(async (rules) => {
    // Elements that are fading in do not have their final colours yet.
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish()
    }
    const { run } = (window as unknown as { axe: typeof axe }).axe
    const options = { runOnly: rules, resultTypes: ['violations' as const], iframes: false }
    // What the header or the bar of phones covers can be scrolled into view, but axe does not scroll. So the page is checked
    // from its top, and the bar on its own.
    const { scrollY } = window
    window.scrollTo({ top: 0, behavior: 'instant' })
    const bar = document.querySelector<HTMLElement>('.bottom-bar')
    const ofBar = bar === null ? [] : (await run({ include: [['.bottom-bar']] }, options)).violations
    bar?.style.setProperty('display', 'none')
    const ofPage = (await run({ exclude: [['iframe']] }, options)).violations
    bar?.style.removeProperty('display')
    window.scrollTo({ top: scrollY, behavior: 'instant' })
    const violations = [...ofBar, ...ofPage]
    return {
      found: violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
      overflow: document.documentElement.scrollWidth - window.innerWidth,
    }
  }, runOnly)
  expect(found, `axe on ${page.url()}`).toEqual([])
  expect(overflow, `horizontal scrolling on ${page.url()}`).toBeLessThanOrEqual(0)
}

/** Widths of a phone and a desktop window. */
const widths = [390, 1280]

/**
 * Runs `expectAccessible` at the current width. At the other of the two widths it checks only the sizes of targets and
 * horizontal scrolling. For states that only a flow reaches; accessibility.test.ts checks the others.
 */
export async function expectAccessibleAtBothWidths(page: Page): Promise<void> {
  await expectAccessible(page)
  const current = page.viewportSize()?.width
  await forEachWidth(page, async (width) => {
    if (width !== current) await expectNoViolations(page, ['target-size'])
  })
}

/** Runs `expectAccessible` in light mode and checks the contrast in dark mode, both at both widths. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await forEachWidth(page, async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectNoViolations(page, ['color-contrast'])
    await page.emulateMedia({ colorScheme: 'light' })
    await expectAccessible(page)
  })
}

/** Calls `check` at each of the two widths, then restores the size. */
async function forEachWidth(page: Page, check: (width: number) => Promise<void>): Promise<void> {
  const size = page.viewportSize()
  if (size === null) throw new Error('the window has no size')
  for (const width of widths) {
    await page.setViewportSize({ width, height: size.height })
    await check(width)
  }
  await page.setViewportSize(size)
}

/** Returns a name that is unique across test runs. */
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
