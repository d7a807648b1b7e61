/** Collections and channels: their owner creates, edits, reorders, hides and deletes them, others collect them. */

import type { Page } from '@playwright/test'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createChannel, createCollection, listCollections } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, logInThroughForm, openSignedIn } from './accounts.ts'
import { type Account, expect, expectAccessible, expectAccessibleAtBothWidths, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

/** Creates a collection with three bookmarks and two channels, the first with two of the bookmarks. Returns its id. */
async function createFilmCollection(site: Site, account: Account, name: string): Promise<number> {
  const token = await logInForToken(site, account)
  const { id } = await call(httpTransport(site), createCollection, { body: { name } }, token)
  const input = (channel: string) => ({ params: { id }, body: { name: channel } })
  const first = await call(httpTransport(site), createChannel, input('Short'), token)
  await call(httpTransport(site), createChannel, input('Long'), token)
  for (let n = 1; n <= 3; n++) {
    const video = {
      source_url: `https://films.example.org/${account.username}/${n}`,
      title: `Film ${n}`,
      orientation: 'sfw' as const,
    }
    const destination = n === 1 ? { collection_id: id } : { channel_id: first.id }
    await call(httpTransport(site), saveBookmark, { body: { video, bookmark: destination } }, token)
  }
  return id
}

/** Chooses an item of the owner's menu on a collection or channel page. */
async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /^More options for / }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('an owner creates, describes and reorders a collection and its channels, and makes it private', async ({
  page,
  otherPage,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/404/)
  await page.setViewportSize({ width: 390, height: 844 })
  const ana = await createAccount(site, 'ana')
  await openSignedIn(page, site, ana, `/users/${ana.username}`)

  await test.step('a collection is created from the profile and opens its page', async () => {
    await page.goto(`/users/${ana.username}?tab=collections`)
    await page.getByRole('button', { name: 'New collection' }).click()
    const dialog = page.getByRole('dialog', { name: 'New Collection' })
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(dialog.getByText('Name is required.')).toBeVisible()
    await dialog.getByLabel('Name').fill('Sea films')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Sea films' })).toBeVisible()
    await expect(page).toHaveURL(/\/collections\/\d+$/)
  })
  const address = page.url()

  await test.step('Add Bookmark on the collection page selects the collection', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Add Bookmark' }).click()
    await expect(page).toHaveURL('/bookmarks/create?tab=manual')
    await expect(page.getByLabel('Collection', { exact: true })).toHaveValue(address.split('/').at(-1) ?? '')
    await page.goto(address)
  })

  await test.step('the collection is renamed and described and gets channels', async () => {
    for (const name of ['Storms', 'Harbours']) {
      await choose(page, 'New channel')
      await page.getByRole('dialog').getByLabel('Name').fill(name)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('link', { name })).toBeVisible()
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await choose(page, 'Edit')
    const dialog = page.getByRole('dialog', { name: 'Edit Collection' })
    await dialog.getByLabel('Name').fill('Films of the sea')
    await dialog.getByLabel('Description').fill('Waves\nand harbours.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Films of the sea' })).toBeVisible()
    await expect(page).toHaveTitle(/^Films of the sea/)
  })

  await test.step('channels are reordered by keyboard, and each move is announced', async () => {
    await page.getByRole('button', { name: /^More options for / }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused()
    for (const label of ['Secret link', 'New channel', 'Reorder channels']) {
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('menuitem', { name: label })).toBeFocused()
    }
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Reorder channels' })
    await dialog.getByRole('button', { name: 'Move Storms down' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Storms, 2 of 2')).toHaveCount(1)
    await expect(dialog.getByRole('button', { name: 'Move Storms down' })).toBeFocused()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save order' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('article').getByRole('heading')).toHaveText(['Harbours', 'Storms'])
  })

  await test.step('collections are reordered by dragging', async () => {
    await page.goto(`/users/${ana.username}?tab=collections`)
    await page.getByRole('button', { name: 'Reorder', exact: true }).click()
    const rows = page.getByRole('dialog').getByRole('listitem')
    // Waits until the dialog has finished moving; only then is the position of the target final.
    await rows
      .last()
      .getByRole('button', { name: /^Drag / })
      .hover()
    const target = await rows
      .first()
      .getByRole('button', { name: /^Drag / })
      .boundingBox()
    await page.mouse.down()
    await page.mouse.move((target?.x ?? 0) + 10, (target?.y ?? 0) + 10, { steps: 10 })
    await page.mouse.up()
    await expect(rows.first()).toContainText('Films of the sea')
    // A click in the 50 ms after a drop is ignored, because it could be the end of the drag. The page's own timer runs
    // after the one that began with the drop.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
    await page.getByRole('button', { name: 'Save order' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByRole('article').getByRole('heading')).toHaveText(['Films of the sea', 'My Vault'])
  })

  await test.step('a private collection is marked for its owner and does not exist for others', async () => {
    expect((await otherPage.goto(address))?.status()).toBe(200)
    await expect(otherPage.getByText('Waves')).toBeVisible()
    await page.goto(address)
    await choose(page, 'Edit')
    const dialog = page.getByRole('dialog', { name: 'Edit Collection' })
    await dialog.getByLabel('Access').selectOption('Private')
    await expect(dialog.getByText(/hidden from everyone else/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText("Collection updated. It's now private.")).toBeVisible()
    expect((await otherPage.goto(address))?.status()).toBe(404)
    await expect(otherPage.getByRole('heading', { name: 'Collection not found' })).toBeVisible()
    expect((await otherPage.goto('/collections/99999999'))?.status()).toBe(404)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Films of the sea' })).toBeVisible()
    await expect(page.getByText('Private. Only you can see this.')).toBeVisible()
  })
})

test('a visitor logs in and collects a whole collection; its owner deletes it and keeps the bookmarks', async ({
  page,
  otherPage,
  site,
}) => {
  const ana = await createAccount(site, 'ana')
  const bo = await createAccount(site, 'bo')
  const id = await createFilmCollection(site, ana, 'Films')

  await test.step('a visitor views it and is sent to log in', async () => {
    await otherPage.goto(`/collections/${id}`)
    await expect(otherPage.getByText('3 videos')).toBeVisible()
    await expect(otherPage).toHaveTitle(`Films by ${ana.username} · Reelmark`)
    await expect(otherPage.locator('link[rel=canonical]')).toHaveAttribute(
      'href',
      `${site.url}/collections/${id}`,
    )
    await otherPage.getByRole('link', { name: 'Short' }).click()
    await expect(otherPage).toHaveURL(/\/channels\/\d+$/)
    await expect(otherPage.getByRole('article')).toHaveCount(2)
    await otherPage.getByRole('link', { name: 'Back to Films' }).click()
    await expect(otherPage.getByRole('heading', { level: 1, name: 'Films' })).toBeVisible()
    await otherPage.getByRole('button', { name: 'Collect all' }).click()
    await expect(otherPage).toHaveURL(/\/login\?redirect=/)
    await logInThroughForm(otherPage, bo)
    await expect(otherPage).toHaveURL(`/collections/${id}`)
  })

  await test.step('collecting everything twice adds each bookmark once', async () => {
    for (const message of ['3 bookmarks added to My Vault.', 'Everything is already in My Vault.']) {
      await otherPage.getByRole('button', { name: 'Collect all' }).click()
      const dialog = otherPage.getByRole('dialog', { name: 'Collect all' })
      await dialog.getByLabel('Collection').selectOption('My Vault')
      await dialog.getByLabel('Channel').selectOption('No channel')
      await dialog.getByRole('button', { name: 'Collect all' }).click()
      await expect(otherPage.getByText(message)).toBeVisible()
    }
    const token = await logInForToken(site, bo)
    const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
    expect(results[0]?.bookmarks_count).toBe(3)
  })

  await test.step('a deleted channel leaves its bookmarks in the collection', async () => {
    await openSignedIn(page, site, ana, `/users/${ana.username}`)
    await page.goto(`/collections/${id}`)
    await page.getByRole('link', { name: 'Short' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Short' })).toBeVisible()
    await choose(page, 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete Channel' })
    await expect(dialog.getByLabel('Keep in Films')).toBeChecked()
    await dialog.getByRole('button', { name: 'Delete Channel' }).click()
    await expect(page).toHaveURL(`/collections/${id}`)
    await expect(page.getByText('Short deleted. 2 bookmarks moved.')).toBeVisible()
    await expect(page.getByText('3 videos')).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'Add bookmark' })).toHaveAttribute(
      'href',
      new RegExp(`^/bookmarks/create\\?collection=${id}\\b`),
    )
  })

  await test.step('a deleted collection moves its bookmarks to another one', async () => {
    await choose(page, 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete Collection' })
    await dialog.getByRole('button', { name: 'Delete Collection' }).click()
    await expect(dialog.getByText('Please select a collection.')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByLabel('Collection', { exact: true }).selectOption('My Vault')
    await dialog.getByRole('button', { name: 'Delete Collection' }).click()
    await expect(page).toHaveURL(`/users/${ana.username}?tab=collections`)
    await expect(page.getByText('Films deleted. 3 bookmarks moved.')).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(1)
    await expect(page.getByText('3 bookmarks, 1 channel')).toBeVisible()
  })
})

test('a collection is shared with two clicks, with its link, embed code and QR code', async ({
  page,
  site,
}) => {
  const ana = await createAccount(site, 'ana')
  await createFilmCollection(site, ana, 'Films')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openSignedIn(page, site, ana, `/users/${ana.username}?tab=collections`)
  const tile = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Films' }) })
  const address = new URL(
    (await page.getByRole('link', { name: 'Films' }).getAttribute('href')) ?? '',
    site.url,
  )
  const url = `${site.url}/collections/${address.searchParams.get('collection')}`
  const dialog = page.getByRole('dialog', { name: 'Share Films' })

  await test.step('Share on the tile, then Copy link', async () => {
    await tile.hover()
    await tile.getByRole('button', { name: 'Share Films' }).click()
    await dialog.getByRole('button', { name: 'Copy link' }).click()
    await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
  })

  await test.step('the dialog says who can open it, and has embed code and QR code', async () => {
    await expect(dialog.getByText('Anyone can view this collection.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Show QR code' }).click()
    await expect(dialog.getByRole('img', { name: 'QR code of the link to Films' })).toBeVisible()
    await expectAccessibleAtBothWidths(page)
    await dialog.getByRole('button', { name: 'Copy code' }).click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain(`/embed/collections/${address.searchParams.get('collection')}`)
    await page.keyboard.press('Escape')
  })

  await test.step('the profile shows the same header as the page of the collection', async () => {
    await page.getByRole('link', { name: 'Films' }).click()
    const header = page.getByRole('main').locator('header').filter({ hasText: '3 videos' })
    await expect(header.getByRole('button', { name: 'Share' })).toBeVisible()
    await expect(header.getByRole('heading', { name: 'Films' })).toBeFocused()
    await expect(header.getByText(/^3 videos · .*updated/)).toBeVisible()
    await expect(header.getByRole('link', { name: 'Play all' })).toBeVisible()
    await header.getByRole('button', { name: 'More options for Films' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Access').selectOption('Private')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText("Collection updated. It's now private.")).toBeVisible()
    await header.getByRole('button', { name: 'Share' }).click()
    await expect(dialog.getByText(/only you can open the link/)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Copy code' })).toHaveCount(0)
  })
})
