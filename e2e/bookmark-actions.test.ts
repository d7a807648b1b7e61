/** Actions on a bookmark page: like, list collectors and follow them, collect, edit, delete and share. */

import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import {
  type Account,
  activate,
  chooseAction,
  expect,
  expectAccessible,
  expectAccessibleAtBothWidths,
  screens,
  test,
  uniqueName,
  waitForIdle,
} from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

/** Saves a new video for the owner and returns the path of the bookmark. */
async function createBookmark(site: Site, owner: Account, title: string): Promise<string> {
  const token = await logInForToken(site, owner)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const body = {
    video: {
      source_url: `https://vimeo.com/${Math.floor(Math.random() * 1e8) + 1e8}`,
      title,
      tags: [uniqueName('tag')],
    },
    bookmark: { collection_id: results[0]?.id ?? 0, channel_id: null },
  }
  const { id } = await call(httpTransport(site), saveBookmark, { body }, token)
  return `/bookmarks/${id}`
}

test.use({ viewport: { width: 1280, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] })

test('a user likes a video by keyboard, and takes it back', async ({ page, site }) => {
  const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
  const path = await createBookmark(site, mara, 'The long tide')
  await page.goto(path)
  const like = page.getByRole('button', { name: 'Like', exact: true })
  await expect(page.getByText('0 likes')).toBeVisible()
  await openSignedIn(page, site, ana, path)
  await expect(like).toBeVisible()
  await waitForIdle(page)
  await page.keyboard.press('l')
  await expect(page.getByRole('button', { name: 'Liked', exact: true })).toBeVisible()
  await expect(page.getByText('1 like', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Liked', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Liked', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('0 likes')).toBeVisible()
  await expect(like).toBeFocused()
})

test('the collectors of a video are listed and can be followed', async ({ page, site }) => {
  const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
  const path = await createBookmark(site, mara, 'The long tide')
  await openSignedIn(page, site, ana, path)
  const button = page.getByRole('button', { name: 'Collectors' })
  await button.click()
  const dialog = page.getByRole('dialog', { name: 'Users Who Bookmarked This Video' })
  await dialog.getByRole('button', { name: `Follow ${mara.username}`, exact: true }).click()
  await expect(dialog.getByRole('button', { name: `Unfollow ${mara.username}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await expect(dialog.getByRole('button', { name: `Unfollow ${mara.username}` })).toBeVisible()
  await dialog.getByRole('link', { name: mara.username }).click()
  await expect(page).toHaveURL(`/users/${mara.username}`)
})

for (const { name, device } of screens) {
  test.describe(name, () => {
    test.use(device)

    test('the access of a copy is shown and chosen before it is collected', async ({
      page,
      otherPage,
      site,
    }) => {
      const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
      const path = await createBookmark(site, mara, 'The long tide')
      await openSignedIn(page, site, ana, path)
      await waitForIdle(page)
      const dialog = page.getByRole('dialog', { name: 'Add to Collection' })
      const openCollect = () => activate(page.getByRole('button', { name: 'Collect', exact: true }), 'Enter')

      await openCollect()
      await expect(dialog.getByLabel('Access')).toHaveValue('public')
      await dialog.getByLabel('Access').selectOption('Private')
      await expect(dialog.getByText('Only you can see this bookmark.')).toBeVisible()
      await expectAccessible(page)
      await activate(dialog.getByRole('button', { name: 'My Vault', exact: true }), 'Enter')
      await expect(page.getByText('Added to My Vault, private.')).toBeVisible()
      await expect(dialog).toBeHidden()

      await openCollect()
      await expect(dialog.getByLabel('Access')).toHaveValue('public')
      await activate(dialog.getByRole('button', { name: 'My Vault / General' }), 'mouse')
      await expect(page.getByText('Added to My Vault / General, public.')).toBeVisible()
      await otherPage.goto(`/users/${ana.username}`)
      await expect(otherPage.getByRole('article')).toHaveCount(1)

      await openCollect()
      await dialog.getByLabel('Access').selectOption('Private')
      await activate(dialog.getByRole('button', { name: 'More options' }), 'Space')
      await expect(dialog.getByRole('combobox', { name: 'Collection' })).toBeVisible()
      await expect(dialog.getByLabel('Access')).toHaveValue('private')
    })
  })
}

test('a bookmark is collected, edited, deleted and restored by keyboard', { tag: '@essential' }, async ({
  page,
  site,
  expectedNoise,
}) => {
  // Collecting the video a second time responds 409.
  expectedNoise.push(/409/)
  const [mara, ana] = [await createAccount(site, 'mara'), await createAccount(site, 'ana')]
  const path = await createBookmark(site, mara, 'The long tide')
  await openSignedIn(page, site, ana, path)
  await expect(page.getByText('1 save')).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'Add to Collection' })
  const collect = async () => {
    await page.keyboard.press('c')
    await expect(dialog.getByLabel('Find or create a collection')).toBeFocused()
    await dialog.getByRole('button', { name: 'More options' }).press('Enter')
    await expect(dialog.getByRole('option', { name: 'My Vault' })).toBeAttached()
  }
  await collect()
  await dialog.getByRole('combobox', { name: 'Collection' }).selectOption({ label: 'Select a collection' })
  await dialog.getByRole('button', { name: 'Add to Collection' }).press('Enter')
  await expect(dialog.getByText('Please select a collection.')).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await dialog.getByRole('button', { name: 'New collection' }).press('Enter')
  await page.keyboard.type('Sea')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('combobox', { name: 'Collection' })).toHaveValue(/\d/)
  await dialog.getByRole('button', { name: 'Add to Collection' }).press('Enter')
  await expect(page.getByText('Added to Sea, public.')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('2 saves')).toBeVisible()

  await collect()
  await dialog.getByRole('combobox', { name: 'Collection' }).selectOption({ label: 'Sea' })
  await dialog.getByRole('button', { name: 'Add to Collection' }).press('Enter')
  await expect(dialog.getByText('You already saved this video here.')).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await dialog.getByRole('link', { name: 'View Bookmark' }).press('Enter')
  await expect(page).not.toHaveURL(path)
  const own = page.url()

  await chooseAction(page, 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit Bookmark' })
  await edit.getByLabel('Title').fill('Mine of the tide')
  await edit.getByLabel('Tags').fill('sea, tide')
  await edit.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Mine of the tide' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'tide', exact: true })).toBeVisible()
  await chooseAction(page, 'Delete')
  await expect(page).toHaveURL(`/users/${ana.username}`)
  await expect(page.getByText('Moved to trash.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Mine of the tide' })).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page).toHaveURL(own)
  await expect(page.getByRole('heading', { name: 'Mine of the tide' })).toBeVisible()
})

test('Share copies the link of a bookmark', async ({ page, site }) => {
  const mara = await createAccount(site, 'mara')
  const path = await createBookmark(site, mara, 'The long tide')
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  await page.goto(path)
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByText('Link copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(site.url + path)
})
