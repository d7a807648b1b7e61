/** Saving and finding from any page without a click, and the home page of a signed-in user. */
import type { Page } from '@playwright/test'
import { toggleWatchLater } from '@reelmark/contract/collect.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { getHome } from '@reelmark/contract/home.ts'
import { savePosition } from '@reelmark/contract/playback.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn, saveFilms } from './accounts.ts'
import { expect, expectAccessibleAtBothWidths, test, uniqueName, waitForIdle } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'

/** Counts clicks of a pointer. Keys that press a button are not counted. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.documentElement.dataset.clicks = '0'
    window.addEventListener(
      'pointerdown',
      () => {
        const { dataset } = document.documentElement
        dataset.clicks = String(Number(dataset.clicks) + 1)
      },
      { capture: true },
    )
  })
  return () => page.evaluate(() => Number(document.documentElement.dataset.clicks))
}

/** Pastes a text as Ctrl V does while nothing has the focus. */
async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('Control+V')
}

const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'Add Bookmark' })

test('a copied link is saved from any page with paste and Enter, edited, and removed again', {
  tag: '@essential',
}, async ({ page, site, websites: web, expectedNoise }) => {
  // One request to save is aborted.
  expectedNoise.push(/ERR_FAILED/)
  const ana = await createAccount(site, 'ana')
  await openSignedIn(page, site, ana, '/transparency')
  // The sheet is loaded after the page.
  await waitForIdle(page)
  const clicks = await countClicks(page)
  await paste(page, web.film)
  await expect(sheetOf(page).getByRole('button', { name: 'Save Bookmark' })).toBeFocused()
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'Saved bookmark' })
  await expect(card.getByText('The Lighthouse at Dusk')).toBeVisible()
  // The card stays while it has the focus.
  await card.getByRole('button', { name: 'Edit' }).focus()
  expect(await clicks()).toBe(0)
  await expect(page).toHaveURL('/transparency')
  await expectAccessibleAtBothWidths(page)
  await card.getByRole('button', { name: 'Edit' }).press('Enter')
  const edit = page.getByRole('dialog', { name: 'Edit Bookmark' })
  await edit.getByLabel('Title').fill('My lighthouse')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Bookmark updated.')).toBeVisible()

  // A failure keeps what was entered; Undo removes what was saved.
  await paste(page, web.article)
  const sheet = sheetOf(page)
  await expect(sheet.getByLabel('Video Title')).toHaveValue('Notes on fog')
  // The link is removed and entered again.
  await sheet.getByLabel('Video URL').fill('')
  await expect(sheet.getByLabel('Video Title')).toHaveValue('')
  await sheet.getByLabel('Video URL').fill(web.article)
  await expect(sheet.getByLabel('Video Title')).toHaveValue('Notes on fog')
  await sheet.getByLabel('Tags').fill('weather')
  await sheet.getByRole('combobox', { name: 'Collection' }).fill('Fog')
  await sheet.getByRole('option', { name: 'Create public collection “Fog”' }).click()
  await expect(sheet.getByRole('combobox', { name: 'Collection' })).toHaveValue('Fog')
  await page.route('**/api/bookmarks/', (route) => route.abort(), { times: 1 })
  await sheet.getByRole('button', { name: 'Save Bookmark' }).click()
  await expect(sheet.getByText('Failed to save bookmark')).toBeVisible()
  await page.reload()
  await waitForIdle(page)
  await page.keyboard.press('n')
  await expect(sheet.getByLabel('Tags')).toHaveValue('weather')
  await expect(sheet.getByRole('combobox', { name: 'Collection' })).toHaveValue('Fog')
  await sheet.getByRole('button', { name: 'Save Bookmark' }).click()
  await expect(card.getByText('Notes on fog')).toBeVisible()
  await card.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText("Not saved. It's in the trash for 30 days.")).toBeVisible()

  // The first link again: the field of the header knows the bookmark.
  await page.keyboard.press('/')
  await page.keyboard.insertText(web.film)
  await expect(page.getByRole('option', { name: /^You saved this on .* in My Vault/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.goto('/trash')
  await expect(page.getByText('Notes on fog')).toBeVisible()

  // The sheet links to the bookmark of a link that is saved already, and closes.
  await waitForIdle(page)
  await paste(page, web.film)
  await sheet.getByRole('link', { name: 'My lighthouse' }).click()
  await expect(page.getByRole('heading', { name: 'My lighthouse' })).toBeVisible()
  await expect(sheet).toBeHidden()
})

test('Save is visible without scrolling on phones and desktops, and the manual form is one press away', async ({
  page,
  site,
  websites: web,
}) => {
  const ana = await createAccount(site, 'ana')
  for (const { width, height } of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize({ width, height })
    await openSignedIn(page, site, ana, '/contact')
    await waitForIdle(page)
    await paste(page, web.film)
    await expect(sheetOf(page).getByLabel('Video Title')).toHaveValue('The Lighthouse at Dusk')
    await expect(sheetOf(page).getByRole('button', { name: 'Save Bookmark' })).toBeInViewport({ ratio: 1 })
    expect(await sheetOf(page).evaluate((dialog) => dialog.scrollTop)).toBe(0)
    await expectAccessibleAtBothWidths(page)
    await page.setViewportSize({ width, height })
  }
  await sheetOf(page).getByRole('button', { name: 'Manual Add' }).click()
  await expect(page).toHaveURL('/bookmarks/create?tab=manual')
  await expect(page.getByLabel('Source URL')).toHaveValue(web.film)
  await expect(page.getByLabel('Video Title')).toHaveValue('The Lighthouse at Dusk')
})

test('a saved bookmark is found with / and typing, also a private one', { tag: '@essential' }, async ({
  page,
  site,
}) => {
  const ana = await createAccount(site, 'ana')
  await saveFilms(site, ana, 3)
  await openSignedIn(page, site, ana, '/contact')
  await waitForIdle(page)
  const clicks = await countClicks(page)
  await page.keyboard.press('/')
  // At once, so that there are no suggestions for its beginning.
  await page.keyboard.insertText('film 2')
  const yours = page.getByRole('group', { name: 'Yours' })
  await expect(yours.getByRole('option', { name: /Film 2.*My Vault/ })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Film 2', exact: true })).toBeVisible()
  expect(await clicks()).toBe(0)
})

test('the home page continues what was started, and shows the feed, Watch Later and what was saved', async ({
  page,
  site,
}) => {
  const [ana, mara] = [await createAccount(site, 'ana'), await createAccount(site, 'mara')]
  await openSignedIn(page, site, ana, '/')
  await expect(page.getByText('Videos you start appear here until you finish them.')).toBeVisible()
  await expectAccessibleAtBothWidths(page)

  await saveFilms(site, mara, 3)
  await saveFilms(site, ana, 1)
  const http = httpTransport(site)
  const token = await logInForToken(site, ana)
  const { user_id: id } = await call(http, getProfile, { params: { username: mara.username } })
  await call(http, followUser, { params: { id } }, token)
  const { following } = await call(http, getHome, { query: {} }, token)
  const [third, second] = following.map(({ video_id }) => video_id)
  await call(http, savePosition, { params: { id: third ?? 0 }, body: { seconds: 20 } }, token)
  await call(http, toggleWatchLater, { params: { id: second ?? 0 } }, token)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  for (const [shelf, film] of [
    ['Continue watching', 'Film 3'],
    ['New from what you follow', 'Film 1'],
    ['Watch Later', 'Film 2'],
    ['Recently saved', 'Film 1'],
  ] as const) {
    await expect(page.getByRole('region', { name: shelf }).getByRole('link', { name: film })).toBeVisible()
  }
  await expect(page.getByText('Stopped at 0:20.')).toBeAttached()
  await expectAccessibleAtBothWidths(page)
})

test('on phones the first card is within 300 px of the top, and the bar at the lower edge leads everywhere', async ({
  page,
  site,
}) => {
  const ana = await createAccount(site, uniqueName('ana'))
  await saveFilms(site, ana, 3)
  await page.setViewportSize({ width: 390, height: 844 })
  await openSignedIn(page, site, ana, '/')
  for (const path of ['/', '/explore']) {
    await page.goto(path)
    const card = page.getByRole('main').getByRole('article').first()
    await expect(card).toBeVisible()
    // The fonts move it while they load.
    await expect.poll(async () => (await card.boundingBox())?.y).toBeLessThan(300)
  }
  const bar = page.getByRole('navigation', { name: 'Navigation bar' })
  await bar.getByRole('link', { name: 'Library' }).click()
  await expect(page).toHaveURL('/library')
  // The sheet is loaded after the page.
  await waitForIdle(page)
  await bar.getByRole('link', { name: 'Add' }).click()
  await expect(sheetOf(page).getByLabel('Video URL')).toBeFocused()
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: 'You' }).click()
  await expect(
    page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Settings' }),
  ).toBeVisible()
})
