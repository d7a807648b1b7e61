/** The manual order of a collection: moved by mouse, touch, keyboard and from a card's menu, and chosen for everyone. */
import type { Locator, Page } from '@playwright/test'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createCollection, updateCollection } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { expect, expectAccessibleInBothThemes, longPress, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

const titles = ['Anchors', 'Boats', 'Cliffs', 'Dunes']

/** Creates a collection with four bookmarks, of which `Dunes` is the newest, and opens its page as its owner. */
async function openCollection(page: Page, site: Site, listOrder: 'newest' | 'manual' = 'newest') {
  const ana = await createAccount(site, 'ana')
  const token = await logInForToken(site, ana)
  const http = httpTransport(site)
  const { id } = await call(http, createCollection, { body: { name: 'Coast' } }, token)
  for (const title of titles) {
    const source_url = `https://films.example.org/order/${ana.username}/${title}`
    const video = { source_url, title, orientation: 'sfw' as const }
    await call(http, saveBookmark, { body: { video, bookmark: { collection_id: id } } }, token)
  }
  await call(http, updateCollection, { params: { id }, body: { list_order: listOrder } }, token)
  await openSignedIn(page, site, ana, `/collections/${id}`)
  return `/collections/${id}`
}

const cards = (page: Page) => page.getByRole('article').getByRole('heading')
const rows = (page: Page) => page.getByRole('list', { name: 'Bookmarks in Coast' }).getByRole('listitem')

async function startReordering(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More options for Coast' }).click()
  await page.getByRole('menuitem', { name: 'Reorder bookmarks' }).click()
  await expect(rows(page)).toHaveCount(4)
}

const expectRows = (page: Page, names: string[]) =>
  expect(rows(page).locator('span.line-clamp-2')).toHaveText(names)

async function centre(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox()
  if (box === null) throw new Error('the element is not visible')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

const savedMove = (page: Page) =>
  page.waitForResponse((reply) => reply.url().endsWith('/order/') && reply.status() === 200)

test('an owner reorders a collection by mouse and by keyboard, and undoes a move', async ({
  page,
  otherPage,
  site,
}) => {
  const address = await openCollection(page, site)
  await startReordering(page)
  await expectRows(page, ['Dunes', 'Cliffs', 'Boats', 'Anchors'])
  await expectAccessibleInBothThemes(page)

  await test.step('by mouse', async () => {
    const from = await centre(page.getByRole('button', { name: 'Drag Anchors' }))
    const to = await centre(page.getByRole('button', { name: 'Drag Dunes' }))
    const saved = savedMove(page)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 15 })
    await page.mouse.up()
    await saved
    await expectRows(page, ['Anchors', 'Dunes', 'Cliffs', 'Boats'])
  })
  await test.step('by keyboard, with announcements', async () => {
    await page.getByRole('button', { name: 'Drag Boats' }).focus()
    await page.keyboard.press('Space')
    await expect(page.getByText('Picked up Boats, 4 of 4')).toHaveCount(1)
    await page.keyboard.press('ArrowUp')
    await expect(page.getByText('Boats, 3 of 4')).toHaveCount(1)
    const saved = savedMove(page)
    await page.keyboard.press('Space')
    await saved
    await expectRows(page, ['Anchors', 'Dunes', 'Boats', 'Cliffs'])
  })
  await test.step('by keyboard, with keys that follow each other at once', async () => {
    const handle = page.getByRole('button', { name: 'Drag Cliffs' })
    const saved = savedMove(page)
    await handle.focus()
    // In one task of the page, so that nothing that is scheduled for later happens between two keys.
    await handle.evaluate((element) => {
      for (const key of [' ', 'ArrowUp', 'ArrowUp', ' '])
        element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    })
    await saved
    await expectRows(page, ['Anchors', 'Cliffs', 'Dunes', 'Boats'])
    await expect(handle).toBeFocused()
    const savedBack = savedMove(page)
    for (const key of ['Space', 'ArrowDown', 'ArrowDown', 'Space']) await page.keyboard.press(key)
    await savedBack
    await expectRows(page, ['Anchors', 'Dunes', 'Boats', 'Cliffs'])
  })
  await test.step('with the buttons', async () => {
    const saved = savedMove(page)
    await page.getByRole('button', { name: 'Move Cliffs to the top' }).click()
    await saved
    await expectRows(page, ['Cliffs', 'Anchors', 'Dunes', 'Boats'])
    const undone = savedMove(page)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await undone
    await expectRows(page, ['Anchors', 'Dunes', 'Boats', 'Cliffs'])
    await page.getByRole('button', { name: 'Move Anchors to a position' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move to position' })
    await dialog.getByLabel('Position').fill('9')
    await dialog.getByRole('button', { name: 'Move' }).click()
    await expect(dialog.getByText('Enter a number from 1 to 4.')).toBeVisible()
    await expectAccessibleInBothThemes(page)
    await dialog.getByLabel('Position').fill('3')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expectRows(page, ['Dunes', 'Boats', 'Anchors', 'Cliffs'])
  })
  await test.step('everyone sees the new order', async () => {
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(cards(page)).toHaveText(['Dunes', 'Boats', 'Anchors', 'Cliffs'])
    await otherPage.goto(address)
    await expect(cards(otherPage)).toHaveText(['Dunes', 'Boats', 'Anchors', 'Cliffs'])
    await otherPage.goto(`${address}?sort=title`)
    await expect(cards(otherPage)).toHaveText(titles)
  })
})

test('moves in two tabs of the same list are both kept', async ({ page, site }) => {
  const address = await openCollection(page, site, 'manual')
  const tab = await page.context().newPage()
  await tab.goto(address)
  for (const view of [page, tab]) {
    await startReordering(view)
    await expectRows(view, ['Dunes', 'Cliffs', 'Boats', 'Anchors'])
  }
  const moveToTop = async (view: Page, title: string) => {
    const saved = savedMove(view)
    await view.getByRole('button', { name: `Move ${title} to the top` }).click()
    await saved
  }
  await moveToTop(page, 'Anchors')
  await expectRows(page, ['Anchors', 'Dunes', 'Cliffs', 'Boats'])
  // The second tab shows the order from before the move.
  await moveToTop(tab, 'Boats')
  await moveToTop(page, 'Cliffs')
  for (const view of [page, tab]) {
    await view.reload()
    await expect(cards(view)).toHaveText(['Cliffs', 'Boats', 'Anchors', 'Dunes'])
  }
})

test('a card in a list in manual order is moved from its menu, and the owner chooses another order', async ({
  page,
  site,
}) => {
  await openCollection(page, site, 'manual')
  await cards(page).first().hover()
  const last = page.getByRole('article').last()
  await last.hover()
  await last.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Move to top' }).click()
  await expect(cards(page)).toHaveText(['Anchors', 'Dunes', 'Cliffs', 'Boats'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cards(page)).toHaveText(['Dunes', 'Cliffs', 'Boats', 'Anchors'])
  await last.hover()
  await last.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Move to position…' }).click()
  await expect(page.getByLabel('Position')).toBeFocused()
  await page.getByLabel('Position').fill('2')
  await page.keyboard.press('Enter')
  await expect(cards(page)).toHaveText(['Dunes', 'Anchors', 'Cliffs', 'Boats'])

  await page.getByRole('button', { name: 'More options for Coast' }).click()
  await page.getByRole('menuitem', { name: 'Order…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Order of this collection' })
  await expect(dialog.getByLabel('Manual')).toBeChecked()
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Oldest first').check()
  await dialog.getByRole('button', { name: 'Save order' }).click()
  await expect(cards(page)).toHaveText(titles)
})

test('the library and the profile show a collection in its manual order, and leave that order with the collection', async ({
  page,
  otherPage,
  site,
}) => {
  const collection = (await openCollection(page, site)).split('/').at(-1)
  await startReordering(page)
  const saved = savedMove(page)
  await page.getByRole('button', { name: 'Move Anchors to the top' }).click()
  await saved
  await expect(page.getByText('Moved “Anchors”.')).toBeVisible()
  await page.goto(`/library?collection=${collection}`)
  await expect(cards(page)).toHaveText(['Dunes', 'Cliffs', 'Boats', 'Anchors'])
  const order = page.getByRole('combobox', { name: 'Order' })
  await order.selectOption('Manual order')
  await expect(page).toHaveURL(/sort=manual/)
  await expect(cards(page)).toHaveText(['Anchors', 'Dunes', 'Cliffs', 'Boats'])
  await expect(page.getByText('Today', { exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: 'All bookmarks' }).click()
  await expect(page).toHaveURL('/library')
  await expect(order).toHaveValue('newest')
  await expect(order.getByRole('option', { name: 'Manual order' })).toHaveCount(0)
  await expect(cards(page)).toHaveText(['Dunes', 'Cliffs', 'Boats', 'Anchors'])

  const profile = await page.getByRole('link', { name: 'Profile' }).first().getAttribute('href')
  for (const view of [page, otherPage]) {
    await view.goto(`${profile}?collection=${collection}`)
    await expect(cards(view)).toHaveText(['Dunes', 'Cliffs', 'Boats', 'Anchors'])
    await view.getByRole('combobox', { name: 'Order' }).selectOption('Manual order')
    await expect(view).toHaveURL(/sort=manual/)
    await expect(cards(view)).toHaveText(['Anchors', 'Dunes', 'Cliffs', 'Boats'])
    await view.getByRole('link', { name: 'Collection: Coast' }).click()
    await expect(view).toHaveURL(profile ?? '')
  }
})

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })

  test('a bookmark is dragged by its handle, and the page is not wider than a small screen', async ({
    page,
    site,
  }) => {
    await openCollection(page, site)
    await startReordering(page)
    const from = await centre(page.getByRole('button', { name: 'Drag Anchors' }))
    const to = await centre(page.getByRole('button', { name: 'Drag Cliffs' }))
    const touch = await page.context().newCDPSession(page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: y === undefined ? [] : [{ x: from.x, y }],
      })
    const saved = savedMove(page)
    await send('touchStart', from.y)
    for (let step = 1; step <= 15; step++) await send('touchMove', from.y + ((to.y - from.y) * step) / 15)
    await send('touchEnd')
    await saved
    await expectRows(page, ['Dunes', 'Anchors', 'Cliffs', 'Boats'])
    await expectAccessibleInBothThemes(page)
    await page.setViewportSize({ width: 320, height: 700 })
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
  })

  test('a bookmark is moved to the top and to a position, and the order is chosen, by touch', async ({
    page,
    site,
  }) => {
    await openCollection(page, site, 'manual')
    const openMenu = async (title: string) => {
      const card = page.getByRole('article').filter({ hasText: title })
      await card.scrollIntoViewIfNeeded()
      await longPress(card)
    }
    await openMenu('Anchors')
    await page.getByRole('button', { name: 'Move to top' }).tap()
    await expect(cards(page)).toHaveText(['Anchors', 'Dunes', 'Cliffs', 'Boats'])
    await openMenu('Boats')
    await page.getByRole('button', { name: 'Move to position…' }).tap()
    await page.getByLabel('Position').fill('2')
    await page.getByRole('button', { name: 'Move', exact: true }).tap()
    await expect(cards(page)).toHaveText(['Anchors', 'Boats', 'Dunes', 'Cliffs'])

    await page.getByRole('button', { name: 'More options for Coast' }).tap()
    await page.getByRole('menuitem', { name: 'Reorder bookmarks' }).tap()
    await page.getByRole('button', { name: 'Move Cliffs to the top' }).tap()
    await expectRows(page, ['Cliffs', 'Anchors', 'Boats', 'Dunes'])
    await page.getByRole('button', { name: 'Move Anchors to a position' }).tap()
    const position = page.getByRole('dialog', { name: 'Move to position' })
    await position.getByLabel('Position').fill('4')
    await position.getByRole('button', { name: 'Move' }).tap()
    await expectRows(page, ['Cliffs', 'Boats', 'Dunes', 'Anchors'])
    await page.getByRole('button', { name: 'Done' }).tap()

    await page.getByRole('button', { name: 'More options for Coast' }).tap()
    await page.getByRole('menuitem', { name: 'Order…' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Order of this collection' })
    await dialog.getByRole('radio', { name: 'Oldest first' }).tap()
    await dialog.getByRole('button', { name: 'Save order' }).tap()
    await expect(dialog).toBeHidden()
    await expect(cards(page)).toHaveText(titles)
  })
})
