/** Following a collection, a channel and a tag: the buttons, the feed and the list of what one follows. */

import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createChannel, createCollection, listCollections } from '@reelmark/contract/collections.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, logInThroughForm, openSignedIn } from './accounts.ts'
import { activate, expect, screens, test, uniqueName, waitForIdle } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'

for (const { name: screen, device } of screens) {
  test.describe(screen, () => {
    test.use(device)

    test('a collection, a channel and a tag are followed and appear in the feed', async ({ page, site }) => {
      const [ana, ben] = [await createAccount(site, 'ana'), await createAccount(site, 'ben')]
      const http = httpTransport(site)
      const anas = await logInForToken(site, ana)
      const { id: collection } = await call(http, createCollection, { body: { name: 'Sea films' } }, anas)
      const inCollection = { params: { id: collection }, body: { name: 'Storms' } }
      const { id: channel } = await call(http, createChannel, inCollection, anas)
      const tag = uniqueName('tide').toLowerCase()
      const save = (title: string, bookmark: object, tags: string[] = []) => {
        const video = { source_url: `https://films.example.org/${uniqueName('watch')}`, title, tags }
        return call(http, saveBookmark, { body: { video, bookmark } }, anas)
      }
      await save('The harbour', { collection_id: collection })
      await save('The long storm', { channel_id: channel })
      const { id: other } = await call(http, createCollection, { body: { name: 'Other films' } }, anas)
      await save('The high tide', { collection_id: other }, [tag])

      await test.step('a visitor is asked to log in, and returns to the followed collection', async () => {
        await page.goto(`/collections/${collection}`)
        // The dialog is loaded after the page.
        await waitForIdle(page)
        await activate(page.getByRole('button', { name: 'Follow Sea films' }), 'mouse')
        await activate(page.getByRole('dialog').getByRole('link', { name: 'Log in' }), 'Enter')
        await expect(page).toHaveURL(/\/login\?redirect=/)
        await logInThroughForm(page, ben)
        await expect(page).toHaveURL(`/collections/${collection}`)
      })

      await test.step('the button of a collection changed to Following, with the number of followers', async () => {
        await expect(page.getByRole('button', { name: 'Following Sea films. Unfollow' })).toBeVisible()
        await expect(page.getByText(/\b1 follower\b/)).toBeVisible()
        await page.reload()
        await expect(page.getByRole('button', { name: 'Following Sea films. Unfollow' })).toBeVisible()
      })

      await test.step('a channel and a tag are followed, on a desktop by keyboard', async () => {
        await page.goto(`/channels/${channel}`)
        await activate(page.getByRole('button', { name: 'Follow Storms' }), 'Enter')
        await expect(page.getByRole('button', { name: 'Following Storms. Unfollow' })).toBeFocused()
        await page.goto(`/explore?tag=${tag}`)
        await activate(page.getByRole('button', { name: 'Follow this tag' }), 'Space')
        await expect(page.getByRole('button', { name: 'Following this tag. Unfollow' })).toBeFocused()
      })

      await test.step('the feed shows what was saved there', async () => {
        await page.goto('/explore?sort=following')
        await expect(page.getByRole('article')).toHaveCount(3)
        await expect(page.getByRole('article').first()).toContainText('The high tide')
      })

      await test.step('the own profile lists them, and each can be unfollowed', async () => {
        await page.goto(`/users/${ben.username}`)
        await activate(page.getByRole('button', { name: '0 Following' }), 'mouse')
        const dialog = page.getByRole('dialog', { name: 'Following' })
        await expect(dialog.getByText('No following found.')).toBeVisible()
        await dialog.getByRole('tab', { name: 'People' }).focus()
        await page.keyboard.press('ArrowRight')
        await expect(dialog.getByRole('tab', { name: 'Collections' })).toBeFocused()
        await expect(dialog.getByText(`Channel in Sea films by ${ana.username}`)).toBeVisible()
        await expect(dialog.getByText(`Collection by ${ana.username}`)).toBeVisible()
        await activate(dialog.getByRole('button', { name: 'Following Sea films. Unfollow' }), 'mouse')
        await expect(dialog.getByRole('button', { name: 'Follow Sea films' })).toBeVisible()
        await activate(dialog.getByRole('tab', { name: 'Tags' }), 'mouse')
        await activate(dialog.getByRole('button', { name: `Following ${tag}. Unfollow` }), 'Enter')
        await expect(dialog.getByRole('button', { name: `Follow ${tag}` })).toBeVisible()
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        ).toBeLessThanOrEqual(0)
        await dialog.getByRole('tab', { name: 'Collections' }).click()
        await dialog.getByRole('link', { name: 'Storms' }).click()
        await expect(page).toHaveURL(`/channels/${channel}`)
        await page.goto('/explore?sort=following')
        await expect(page.getByRole('article')).toHaveCount(1)
      })

      await test.step('the owner is notified, with a link to the collection', async () => {
        await openSignedIn(page, site, ana, '/notifications')
        await expect(page.getByText(`${ben.username} followed your channel Storms`)).toBeVisible()
        await page.getByRole('link', { name: 'Storms' }).click()
        await expect(page).toHaveURL(`/channels/${channel}`)
        await expect(page.getByRole('button', { name: /^Follow/ })).toBeHidden()
      })
    })
  })
}

test('the feed lists a video once although two followed users saved it', async ({ page, site }) => {
  const http = httpTransport(site)
  const ana = await createAccount(site, 'ana')
  const anas = await logInForToken(site, ana)
  const source_url = `https://films.example.org/${uniqueName('watch')}`
  for (const saver of [await createAccount(site, 'ben'), await createAccount(site, 'cleo')]) {
    const token = await logInForToken(site, saver)
    const { results } = await call(http, listCollections, { query: {} }, token)
    const video = { source_url, title: 'The harbour', orientation: 'sfw' as const }
    const body = { video, bookmark: { collection_id: results[0]?.id ?? 0 } }
    const { user } = await call(http, saveBookmark, { body }, token)
    await call(http, followUser, { params: { id: user.id } }, anas)
  }
  await openSignedIn(page, site, ana, '/explore?sort=following')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('article')).toContainText('The harbour')
})
