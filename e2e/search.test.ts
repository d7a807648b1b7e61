/** The search field of the header: suggestions, results of every kind, and pasted links, at both widths. */
import type { Page } from '@playwright/test'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createChannel, createCollection } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { type Account, expect, expectAccessible, test, uniqueName, waitForIdle } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

/** Saves a public film with a unique word in its title, its tag and the name of its collection. */
async function createFilm(site: Site, owner: Account) {
  const http = httpTransport(site)
  const token = await logInForToken(site, owner)
  const word = uniqueName('kelp').replace(/[^a-z\d]/g, '')
  const { id } = await call(http, createCollection, { body: { name: `${word} films` } }, token)
  const inCollection = { params: { id }, body: { name: 'All' } }
  const { id: channel_id } = await call(http, createChannel, inCollection, token)
  const source_url = `https://films.example.org/${word}`
  const video = { source_url, title: `${word} forest`, tags: [`${word} tag`], orientation: 'sfw' as const }
  const film = await call(http, saveBookmark, { body: { video, bookmark: { channel_id } } }, token)
  return { word, source_url, collection: id, bookmark: film.id }
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Search', exact: true })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

test.describe('at 1280 px, by keyboard and mouse', () => {
  test.use({ viewport: { width: 1280, height: 800 } })

  test('a / pressed before the shortcuts are loaded focuses the field once they are', async ({ page }) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/background-effects-[^/]*\.js$/, (route) => released.then(() => route.continue()))
    await page.goto('/', { waitUntil: 'commit' })
    await page.keyboard.press('/')
    await expect(page.locator('#search')).not.toBeFocused()
    release()
    await expect(page.locator('#search')).toBeFocused()
  })

  test('the keyboard reaches a suggestion, all results and a tag from any page', async ({ page, site }) => {
    const mara = await createAccount(site, 'mara')
    const { word, collection, bookmark } = await createFilm(site, mara)
    await page.goto('/contact')
    // Shortcuts are loaded after the page.
    await waitForIdle(page)
    await page.getByRole('heading', { name: 'Contact' }).click()
    await page.keyboard.press('/')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type(word.slice(0, -1))
    await expect(page.getByRole('group', { name: 'Collections' })).toBeVisible()
    await expect(page.getByRole('group', { name: 'Everyone' })).toBeVisible()
    await expect(page.locator('mark').first()).toHaveText(word)
    await expectAccessible(page)
    for (const width of [736, 768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const box = await page.getByRole('listbox').boundingBox()
      expect(box?.x, `left edge at ${width} px`).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? width), `right edge at ${width} px`).toBeLessThanOrEqual(width)
    }
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(option(page, /forest/)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/bookmarks/${bookmark}`)
    await expect(page.locator('#search')).toHaveValue('')

    await page.keyboard.press('/')
    await page.keyboard.type(`${word} forest`)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/explore?q=${word}+forest`)
    await expect(page.locator('#search')).toHaveValue(`${word} forest`)
    await page.keyboard.press('/')
    await page.keyboard.type(word)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/explore?q=${word}`)
    const results = page.getByRole('navigation', { name: 'Results' })
    await results.getByRole('link', { name: 'Collections' }).click()
    await expect(page).toHaveURL(`/explore/collections?q=${word}`)
    await expect(page.getByRole('link', { name: `${word} films` })).toHaveAttribute(
      'href',
      `/collections/${collection}`,
    )
    await results.getByRole('link', { name: 'Tags' }).click()
    await page.getByRole('link', { name: new RegExp(`^${word} tag`) }).click()
    await expect(page).toHaveURL(`/explore?tag=${word}+tag`)
    await expect(page.getByRole('link', { name: `${word} forest` })).toBeVisible()
  })

  test('a pasted link is saved when signed in, and watched as a visitor', async ({ page, site }) => {
    const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
    const { word, source_url, bookmark } = await createFilm(site, mara)
    await page.goto('/contact')
    await page.locator('#search').click()
    await expect(field(page)).toBeVisible()
    await page.keyboard.insertText(source_url)
    await option(page, `Watch “${word} forest”`).click()
    await expect(page).toHaveURL(`/bookmarks/${bookmark}`)

    const unknown = `${source_url}/other`
    await page.locator('#search').click()
    await expect(field(page)).toBeVisible()
    await page.keyboard.insertText(unknown)
    await option(page, /^Save this video/).click()
    await expect(page).toHaveURL(/\/login\?redirect=.*bookmarks%2Fcreate/)

    await openSignedIn(page, site, ana, '/contact')
    // The sheet is loaded after the page.
    await waitForIdle(page)
    await page.locator('#search').click()
    await expect(field(page)).toBeVisible()
    await page.keyboard.insertText(unknown)
    await expect(option(page, /^Save this video/)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'Add Bookmark' })
    await expect(sheet.getByLabel('Video URL')).toHaveValue(unknown)
  })

  test('a user filters by what they have watched', async ({ page, site }) => {
    await openSignedIn(page, site, await createAccount(site, 'ana'), '/explore?q=film')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Watched' }).selectOption('Watched')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page).toHaveURL(/watched=true/)
    await expect(page.getByText('No bookmarks found')).toBeVisible()
    await page.getByRole('link', { name: /^Watched/ }).click()
    await expect(page).not.toHaveURL(/watched/)
  })
})

test.describe('at 390 px, by touch', () => {
  test.use({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })

  test('the magnifying glass opens the field, a touch opens a suggestion, and the field can be left', async ({
    page,
    site,
  }) => {
    const mara = await createAccount(site, 'mara')
    const { word } = await createFilm(site, mara)
    await page.goto('/contact')
    await page.getByTitle('Search', { exact: true }).tap()
    await expect(field(page)).toBeFocused()
    await page.keyboard.type(mara.username)
    await expect(page.getByRole('group', { name: 'People' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Search help' }).tap()
    const help = page.getByRole('dialog', { name: 'Search help' })
    await expect(help.getByText('words next to each other, in this order')).toBeVisible()
    const cutOff = await help.evaluate((element) => element.scrollWidth - element.clientWidth)
    expect(cutOff, 'the help is as wide as its frame').toBe(0)
    await page.setViewportSize({ width: 800, height: 390 })
    const rightEdge = () => help.evaluate((element) => element.getBoundingClientRect().right)
    await expect
      .poll(rightEdge, 'the help stays in the window of a turned phone')
      .toBeLessThanOrEqual(800 - 16)
    await expect(help).toBeVisible()
    await page.setViewportSize({ width: 390, height: 800 })
    await expect.poll(rightEdge).toBeLessThanOrEqual(390 - 16)
    await help.getByRole('button', { name: 'Close' }).tap()
    await page.getByRole('button', { name: 'Close search' }).tap()
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(page.getByRole('link', { name: 'Reelmark, home' }).first()).toBeVisible()
    await page.getByTitle('Search', { exact: true }).tap()
    await page.keyboard.type('x')
    await page.keyboard.press('Backspace')
    await page.getByRole('option', { name: mara.username, exact: true }).tap()
    await expect(page).toHaveURL(`/users/${mara.username}`)

    await page.goto(`/explore/people?q=${mara.username}`)
    await expect(page.getByRole('link', { name: mara.username })).toBeVisible()
    await page.getByRole('main').getByText(mara.username, { exact: true }).first().tap()
    await expect(field(page)).toBeFocused()
    await page.locator('#search').fill(word)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/explore/people?q=${word}`)
    await expect(page.getByText('No people found')).toBeVisible()
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the field searches, and every kind of result is complete', async ({ page, site, expectedNoise }) => {
    // The kind of results that does not exist.
    expectedNoise.push(/404/)
    const mara = await createAccount(site, 'mara')
    const { word } = await createFilm(site, mara)
    await page.goto('/contact')
    await page.locator('#search').fill(word)
    await page.locator('#search').press('Enter')
    await expect(page).toHaveURL(`/explore?q=${word}`)
    await expect(page.getByRole('link', { name: `${word} forest` })).toBeVisible()
    for (const [kind, name] of [
      ['collections', `${word} films`],
      ['tags', new RegExp(`^${word} tag`)],
    ] as const) {
      await page.goto(`/explore/${kind}?q=${word}`)
      await expect(page.getByRole('main').getByRole('link', { name })).toBeVisible()
    }
    await page.goto(`/explore/people?q=${mara.username}`)
    await expect(page.getByRole('main').getByRole('link', { name: mara.username })).toBeVisible()
    expect((await page.goto(`/explore/videos?q=${word}`))?.status()).toBe(404)
  })
})
