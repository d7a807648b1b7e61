import type { Page } from '@playwright/test'
import { createAccount, openSignedIn, saveFilms } from './accounts.ts'
import { chooseAction, expect, test, waitForIdle } from './fixtures.ts'

interface View {
  name: string
  path: string
  /** Opens a dialog. */
  open?: (page: Page) => Promise<void>
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first().click()

/** Opens a dialog with a key of Explore. Shortcuts, and the sheet that they open, are loaded after the page is shown. */
const pressKey = (key: string) => (page: Page) =>
  expect(async () => {
    await page.goto('/explore')
    await waitForIdle(page)
    await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toBeVisible({ timeout: 5_000 })
  }).toPass()

function viewsOf(username: string, bookmark: string): View[] {
  return [
    { name: 'home', path: '/' },
    { name: 'Explore', path: '/explore' },
    { name: 'a profile', path: `/users/${username}` },
    { name: 'Library', path: '/library' },
    { name: 'notifications', path: '/notifications' },
    { name: 'settings', path: '/settings/account' },
    { name: 'a bookmark', path: bookmark },
    { name: 'collecting', path: bookmark, open: press('Collect') },
    { name: 'the form of a bookmark', path: bookmark, open: (page) => chooseAction(page, 'Edit') },
    { name: 'the profile form', path: `/users/${username}`, open: press('Edit Profile') },
    { name: 'the save sheet', path: '/explore', open: pressKey('n') },
    { name: 'the shortcuts', path: '/explore', open: pressKey('?') },
  ]
}

/** What is wrong with a page: how far it scrolls sideways, texts beyond its edges, and the share that bars cover. */
async function findDefects(page: Page) {
  return page.evaluate(() => {
    const clips = (element: Element | null): boolean =>
      element !== null &&
      (/auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX) || clips(element.parentElement))
    const isCutOff = (element: Element) => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 1 && (right > innerWidth + 1 || left < -1)
    }
    const ownText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
    const cutOff = [...document.querySelectorAll('body *')].filter(
      (element) =>
        ownText(element) && element.checkVisibility() && isCutOff(element) && !clips(element.parentElement),
    )
    const isInBar = (element: Element | null): boolean =>
      element !== null &&
      (/fixed|sticky/.test(getComputedStyle(element).position) || isInBar(element.parentElement))
    const rows = Array.from({ length: 100 }, (_, row) => ((row + 0.5) / 100) * innerHeight)
    const covered = rows.filter((y) => isInBar(document.elementFromPoint(innerWidth / 2, y))).length
    return {
      overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
      cutOff: cutOff.map((element) => `${element.tagName} ${element.textContent?.slice(0, 40)}`),
      isMostlyCovered: document.querySelector('dialog[open]') === null && covered > 50,
    }
  })
}

test('at 200 % zoom, nothing is cut off and dialogs can be scrolled', async ({ browser, site }) => {
  test.slow()
  const ana = await createAccount(site)
  await saveFilms(site, ana, 2)
  // A window of 1280×800 pixels at 200 %.
  const viewport = { width: 640, height: 400 }
  const context = await browser.newContext({ baseURL: site.url, viewport, deviceScaleFactor: 2 })
  const page = await context.newPage()
  await openSignedIn(page, site, ana, `/users/${ana.username}`)
  const bookmark =
    (await page.getByRole('main').locator('a[href^="/bookmarks/"]').first().getAttribute('href')) ?? ''
  for (const { name, path, open } of viewsOf(ana.username, bookmark)) {
    await test.step(name, async () => {
      await page.goto(path)
      await page.locator('html[data-alive]').waitFor()
      await open?.(page)
      const dialog = page.getByRole('dialog')
      if (open !== undefined) await expect(dialog).toBeVisible()
      await expect.poll(() => findDefects(page)).toEqual({ overflow: 0, cutOff: [], isMostlyCovered: false })
      if (open === undefined) return
      // Scrolls to each button, and fails if another element covers it.
      for (const button of await dialog.getByRole('button', { disabled: false }).all()) {
        if (await button.isVisible()) await button.click({ trial: true })
      }
    })
  }
  await context.close()
})

test('with text of 200 %, no page scrolls sideways', async ({ browser, site }) => {
  test.slow()
  const ana = await createAccount(site)
  const { bookmark, collection } = await saveFilms(site, ana, 2)
  const reader = await browser.newPage({ baseURL: site.url })
  const visitor = await browser.newPage({ baseURL: site.url })
  await openSignedIn(reader, site, ana, '/library')
  const paths = {
    home: '/',
    Explore: '/explore',
    'a bookmark': `/bookmarks/${bookmark}`,
    'a profile': `/users/${ana.username}`,
    'a collection': `/collections/${collection}`,
    Library: '/library',
    settings: '/settings/account',
    'the login': '/login',
  }
  for (const [name, path] of Object.entries(paths)) {
    for (const page of name === 'the login'
      ? [visitor]
      : /settings|Library/.test(name)
        ? [reader]
        : [reader, visitor]) {
      await page.goto(path)
      await page.locator('html[data-alive]').waitFor()
      await waitForIdle(page)
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      for (const width of [320, 390, 768, 1280]) {
        await test.step(`${name}, ${page === visitor ? 'visitor' : 'signed in'}, ${width} px`, async () => {
          await page.setViewportSize({ width, height: 800 })
          const overflowing = async () => {
            const { overflow, cutOff } = await findDefects(page)
            return { overflow, cutOff }
          }
          // The layout may follow the new width a moment later.
          await expect
            .configure({ soft: true })
            .poll(overflowing, { timeout: 5_000 })
            .toEqual({ overflow: 0, cutOff: [] })
        })
      }
    }
  }
  await Promise.all([reader.close(), visitor.close()])
})

declare global {
  interface Window {
    movements: string[]
  }
}

/** Records, on each page, what moves for longer than an instant. */
function recordMovements(): void {
  window.movements = []
  const record = (movement: string) => window.movements.includes(movement) || window.movements.push(movement)
  const scroll = Element.prototype.scrollIntoView
  Element.prototype.scrollIntoView = function (options) {
    if (typeof options === 'object' && options.behavior === 'smooth') record('a smooth scroll')
    scroll.call(this, options)
  }
  const check = () => {
    for (const { effect } of document.getAnimations()) {
      const { activeDuration = 0 } = effect?.getComputedTiming() ?? {}
      const { target, pseudoElement } = effect as KeyframeEffect
      if (Number(activeDuration) > 10)
        record(`${target?.className}${pseudoElement ?? ''} ${activeDuration} ms`)
    }
    requestAnimationFrame(check)
  }
  requestAnimationFrame(check)
}

test('with reduced motion, nothing moves', async ({ page, site }) => {
  const ana = await createAccount(site)
  await saveFilms(site, ana, 2)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.addInitScript(recordMovements)
  const movements: string[] = []
  const collect = async () => {
    movements.push(...(await page.evaluate(() => window.movements)))
  }
  await page.goto('/')
  await page
    .getByRole('button', { name: 'Hide adult content' })
    .or(page.getByRole('heading').first())
    .first()
    .hover()
  await collect()

  await openSignedIn(page, site, ana, `/users/${ana.username}`)
  const card = page.getByRole('main').locator('a[href^="/bookmarks/"]').first()
  await card.hover()
  // The view transition grows the thumbnail into the player.
  await card.click()
  await page.getByRole('button', { name: /^Like/ }).click()
  await page.getByRole('button', { name: /^Watch later/ }).click()
  await expect(page.getByRole('button', { name: 'In Watch Later' })).toBeVisible()
  await press('Collect')(page)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await collect()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/explore')
  // Until the save sheet is loaded, the link leads to the page with the form.
  await waitForIdle(page)
  await page.getByRole('link', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await press('Filters')(page)
  await expect(page.getByRole('dialog')).toBeVisible()
  await collect()
  expect(movements).toEqual([])
})
