/** Searches saved as smart collections: what their owner and others see, editing, deleting and restoring them. */
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { activate, expect, expectAccessible, screens, test } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'

// Chromium logs the response to another user when the smart collection has become private.
test.use({ expectedNoise: [/Failed to load resource: the server responded with a status of 404/] })

for (const { name, device } of screens) {
  test.describe(name, () => {
    test.use(device)

    test('a search is saved as a smart collection, published, edited, deleted and restored', async ({
      page,
      otherPage,
      site,
      websites,
    }) => {
      const missing: string[] = []
      page.on('response', (response) => {
        if (response.status() === 404) missing.push(response.url())
      })
      const ana = await createAccount(site, 'ana')
      const token = await logInForToken(site, ana)
      const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
      const channel_id = results[0]?.channels[0]?.id ?? 0
      const save = (title: string, access: 'public' | 'private') => {
        const source_url = `${websites.film}?smart=${ana.username}-${encodeURIComponent(title)}`
        const video = { source_url, title, tags: ['harbours'] }
        const body = { video, bookmark: { channel_id, access } }
        return call(httpTransport(site), saveBookmark, { body }, token)
      }
      await save('Harbour at dawn', 'public')
      await save('Harbour at night', 'private')

      await test.step('the bookmarks with a tag are saved, privately unless the owner chooses otherwise', async () => {
        await openSignedIn(page, site, ana, '/tags')
        await activate(page.getByRole('link', { name: 'harbours' }), 'mouse')
        await expect(page.getByRole('article')).toHaveCount(2)
        await activate(page.getByRole('button', { name: 'Save search' }), 'Enter')
        const dialog = page.getByRole('dialog', { name: 'Save as smart collection' })
        await expect(dialog).toContainText('Your bookmarks · Tag: harbours')
        await expect(dialog.getByLabel('Access')).toHaveValue('private')
        await dialog.getByLabel('Name').fill('Harbours')
        await dialog.getByLabel('Access').selectOption('public')
        await expectAccessible(page)
        await activate(dialog.getByRole('button', { name: 'Save' }), 'mouse')
        await activate(page.getByRole('link', { name: 'Open' }), 'Enter')
        await expect(page.getByRole('heading', { level: 1, name: 'Harbours' })).toBeVisible()
        await expect(page.getByRole('article')).toHaveCount(2)
        await expectAccessible(page)
      })

      await test.step('others find it on the profile and see only what is public', async () => {
        await otherPage.goto(`/users/${ana.username}?tab=collections`)
        const tile = otherPage.getByRole('region', { name: 'Smart collections' }).getByRole('article')
        await expect(tile).toContainText('1 bookmark')
        await otherPage.getByRole('link', { name: 'Harbours' }).click()
        await expect(otherPage.getByRole('article')).toHaveCount(1)
        await expect(otherPage.getByRole('article')).toContainText('Harbour at dawn')
        await expect(otherPage.getByRole('main')).not.toContainText('Tag: harbours')
        const feed = otherPage.getByRole('link', { name: 'Feed' })
        await expect(feed).toHaveAttribute('href', /^\/smart-collections\/\d+\/feed\.atom$/)
        await expectAccessible(otherPage)
        await otherPage.getByRole('link', { name: 'Play all' }).click()
        await expect(otherPage).toHaveURL(/list=smart_collection/)
        await expect(otherPage.getByRole('heading', { level: 1, name: 'Harbour at dawn' })).toBeVisible()
        await otherPage.goBack()
      })

      await test.step('the page of a collection plays and saves what it shows', async () => {
        const smartCollection = page.url()
        const { id } = results[0] ?? { id: 0 }
        await page.goto(`/collections/${id}?tag=harbours&sort=title`)
        await expect(page.getByRole('article')).toHaveCount(2)
        const playAll = page.getByRole('link', { name: 'Play all' })
        await expect(playAll).toHaveAttribute('href', /list=.*tag%3Dharbours/)
        await activate(page.getByRole('button', { name: 'Save search' }), 'mouse')
        const dialog = page.getByRole('dialog', { name: 'Save as smart collection' })
        await expect(dialog).toContainText(/Your bookmarks · Tag: harbours · In .+ · Title/)
        await activate(dialog.getByRole('button', { name: 'Cancel' }), 'Enter')
        await activate(playAll, 'mouse')
        await expect(page.getByRole('heading', { level: 1, name: 'Harbour at dawn' })).toBeVisible()
        await expect(page).toHaveURL(/list=.*tag%3Dharbours/)
        await page.goto(smartCollection)
      })

      await test.step('new bookmarks appear, and words of the search can be changed', async () => {
        await save('Harbour in winter', 'public')
        await otherPage.reload()
        await expect(otherPage.getByRole('article')).toHaveCount(2)
        await activate(page.getByRole('button', { name: 'More options for Harbours' }), 'mouse')
        await activate(page.getByRole('menuitem', { name: 'Edit' }), 'Enter')
        const dialog = page.getByRole('dialog', { name: 'Edit smart collection' })
        await dialog.getByLabel('Search').fill('winter')
        await expectAccessible(page)
        await activate(dialog.getByRole('button', { name: 'Save' }), 'mouse')
        await expect(page.getByRole('article')).toHaveCount(1)
        await expect(page.getByRole('article')).toContainText('Harbour in winter')
      })

      await test.step('a search for what only the owner knows can only be private', async () => {
        await activate(page.getByRole('button', { name: 'More options for Harbours' }), 'Enter')
        await activate(page.getByRole('menuitem', { name: 'Edit' }), 'mouse')
        const dialog = page.getByRole('dialog', { name: 'Edit smart collection' })
        await dialog.getByLabel('Search').fill('harbour is:unwatched')
        await expect(dialog.getByLabel('Access')).toHaveValue('private')
        await activate(dialog.getByRole('button', { name: 'Save' }), 'Enter')
        // The message of the earlier change may still be shown.
        await expect(dialog).toBeHidden()
        await otherPage.reload()
        await expect(otherPage.getByText('Collection not found')).toBeVisible()
      })

      await test.step('it is deleted with Undo, and restored from the trash', async () => {
        // Not by mouse, because a mouse over a card fetches the card's play queue, also while the page is being left.
        await page.mouse.move(0, 0)
        const remove = async () => {
          await activate(page.getByRole('button', { name: 'More options for Harbours' }), 'Enter')
          await activate(page.getByRole('menuitem', { name: 'Delete' }), 'Enter')
          await expect(page.getByText('Harbours moved to the trash.')).toBeVisible()
        }
        await remove()
        await activate(page.getByRole('button', { name: 'Undo' }), 'Enter')
        await activate(page.getByRole('link', { name: 'Harbours' }), 'Enter')
        await remove()
        expect(missing, 'requests for what was deleted').toEqual([])
        await page.goto('/trash')
        await expectAccessible(page)
        await activate(page.getByRole('button', { name: 'Restore Harbours' }), 'mouse')
        await expect(page.getByText('Harbours restored.')).toBeVisible()
      })
    })
  })
}
