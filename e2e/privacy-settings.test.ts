/** Privacy settings, the access choice when collecting, and secret links of collections, on a phone and on a desktop. */

import type { Page } from '@playwright/test'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { collectBookmark } from '@reelmark/contract/collect.ts'
import { createCollectionLink } from '@reelmark/contract/collection-links.ts'
import { createCollection, listCollections } from '@reelmark/contract/collections.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
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
} from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import { runAdmin, type Site } from './site-process.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })
test.beforeEach(({ expectedNoise }) => {
  expectedNoise.push(/404/)
})

async function createCollectionOf(
  site: Site,
  owner: Account,
  access: 'public' | 'private',
  titles: string[],
) {
  const token = await logInForToken(site, owner)
  const name = uniqueName('Shelf')
  const collection = await call(httpTransport(site), createCollection, { body: { name, access } }, token)
  const bookmarks = []
  for (const [n, title] of titles.entries()) {
    const video = {
      source_url: `https://films.example.org/${owner.username}/${access}/${n}`,
      title,
      tags: ['sea'],
    }
    const bookmark = {
      collection_id: collection.id,
      access: n === 0 ? ('public' as const) : ('private' as const),
    }
    bookmarks.push(await call(httpTransport(site), saveBookmark, { body: { video, bookmark } }, token))
  }
  return { id: collection.id, name, bookmarks }
}

async function userIdOf(site: Site, { username }: Account): Promise<number> {
  return (await call(httpTransport(site), getProfile, { params: { username } })).user_id
}

for (const { name: screen, device } of screens) {
  test.describe(screen, () => {
    test.use(device)

    test('a user hides their profile and saves privately by default', async ({ page, otherPage, site }) => {
      const [ana, mara] = [await createAccount(site, 'ana'), await createAccount(site, 'mara')]
      const { bookmarks } = await createCollectionOf(site, mara, 'public', ['The long tide'])
      await openSignedIn(page, site, ana, '/settings/privacy')
      await activate(page.getByRole('radio', { name: /^Private/ }), 'Space')
      await expect(page.getByText('Saved.').first()).toBeVisible()
      const profile = page.getByLabel('Your profile')
      await profile.selectOption('Signed-in users')
      await expect(page.getByText(/stay public and show your name/)).toBeVisible()
      await activate(page.getByRole('switch', { name: 'Count adult bookmarks and likes' }), 'Space')
      await expectAccessibleAtBothWidths(page)
      await page.reload()
      await expect(profile).toHaveValue('members')
      await expect(page.getByRole('radio', { name: /^Private/ })).toBeChecked()
      await expect(page.getByRole('switch', { name: 'Count adult bookmarks and likes' })).toBeChecked()

      await otherPage.goto(`/users/${ana.username}`)
      await expect(otherPage.getByRole('heading', { name: 'Error loading profile.' })).toBeVisible()

      // The dialog offers the default, and another access can be chosen.
      await page.goto(`/bookmarks/${bookmarks[0]?.id}`)
      await activate(page.getByRole('button', { name: 'Collect', exact: true }), 'mouse')
      const dialog = page.getByRole('dialog', { name: 'Add to Collection' })
      await activate(dialog.getByRole('button', { name: 'More options' }), 'mouse')
      await expect(dialog.getByLabel('Access')).toHaveValue('private')
      await expectAccessible(page)
      await activate(dialog.getByRole('button', { name: 'Add to Collection' }), 'Enter')
      await activate(page.getByRole('link', { name: 'View Bookmark' }), 'mouse')
      await expect(page.getByText('Private', { exact: true }).first()).toBeVisible()
      await page.goto('/bookmarks/create?tab=manual')
      await expect(page.getByLabel('Access')).toHaveValue('private')

      // Members see the profile.
      await openSignedIn(otherPage, site, mara, `/users/${ana.username}`)
      await expect(otherPage.getByRole('heading', { level: 1, name: ana.username })).toBeVisible()
    })

    test('likes, follows and collectors are shown to whom the user chose, and adult bookmarks counted', async ({
      page,
      otherPage,
      site,
    }) => {
      const [ana, mara, ben] = [
        await createAccount(site, 'ana'),
        await createAccount(site, 'mara'),
        await createAccount(site, 'ben'),
      ]
      const http = httpTransport(site)
      const [anas, bens] = [await logInForToken(site, ana), await logInForToken(site, ben)]
      const { bookmarks } = await createCollectionOf(site, mara, 'public', ['The long tide'])
      const film = bookmarks[0]
      const { results } = await call(http, listCollections, { query: {} }, anas)
      const collection = results[0]?.id ?? 0
      const body = { bookmark: film?.id ?? 0, collection }
      await call(http, collectBookmark, { body }, anas)
      await call(http, toggleLike, { params: { id: film?.video.id ?? 0 } }, anas)
      await call(http, followUser, { params: { id: film?.user.id ?? 0 } }, anas)
      await call(http, followUser, { params: { id: await userIdOf(site, ana) } }, bens)
      const source_url = `https://films.example.org/${ana.username}/adult`
      const adult = { source_url, title: 'For adults', orientation: 'gay' as const }
      await call(
        http,
        saveBookmark,
        { body: { video: adult, bookmark: { collection_id: collection } } },
        anas,
      )
      /** Checks the numbers of Ana's profile: bookmarks, likes, followers and whom she follows. */
      const expectNumbers = async (viewer: Page, numbers: string[]) => {
        const list = viewer
          .getByRole('list')
          .filter({ has: viewer.getByRole('button', { name: /Followers?$/ }) })
        await expect(list.getByRole('listitem')).toHaveText(numbers)
      }
      const profile = `/users/${ana.username}`
      await otherPage.goto(profile)
      await expectNumbers(otherPage, ['1 Bookmark', '1 Like', '1 Follower', '1 Following'])

      await openSignedIn(page, site, ana, '/settings/privacy')
      const choices = [
        ['Your likes', 'Signed-in users', 'members'],
        ['Who you follow', 'Only you', 'only_me'],
        ['Who follows you', 'Signed-in users', 'members'],
        ['Your name among the collectors of a video', 'Only you', 'only_me'],
      ] as const
      for (const [label, choice] of choices) await page.getByLabel(label).selectOption(choice)
      // Choices are sent one after the other.
      const saved = page.waitForResponse((reply) => /counts_adult/.test(reply.request().postData() ?? ''))
      await activate(page.getByRole('switch', { name: 'Count adult bookmarks and likes' }), 'Space')
      await saved
      await page.reload()
      for (const [label, , value] of choices) await expect(page.getByLabel(label)).toHaveValue(value)

      await otherPage.reload()
      await expectNumbers(otherPage, ['2 Bookmarks', '0 Likes', '0 Followers', '0 Following'])
      await otherPage.goto(`${profile}?tab=liked`)
      await expect(otherPage.getByText(`${ana.username} hasn't liked anything yet.`)).toBeVisible()

      await openSignedIn(otherPage, site, ben, `${profile}?tab=liked`)
      await expectNumbers(otherPage, ['2 Bookmarks', '1 Like', '1 Follower', '0 Following'])
      await expect(otherPage.getByRole('article')).toContainText('The long tide')
      await activate(otherPage.getByRole('button', { name: '1 Follower' }), 'Enter')
      await expect(otherPage.getByRole('dialog', { name: 'Followers' })).toContainText(ben.username)
      await otherPage.goto(`/bookmarks/${film?.id}`)
      await chooseAction(otherPage, 'Collectors')
      const collectors = otherPage.getByRole('dialog', { name: 'Users Who Bookmarked This Video' })
      await expect(collectors.getByRole('link', { name: mara.username })).toBeVisible()
      await expect(collectors.getByRole('link', { name: ana.username })).toHaveCount(0)

      await page.getByLabel('Your likes').selectOption('Only you')
      await page.goto(profile)
      await expectNumbers(page, ['2 Bookmarks', '1 Like', '1 Follower', '1 Following'])
      await otherPage.goto(profile)
      await expectNumbers(otherPage, ['2 Bookmarks', '0 Likes', '1 Follower', '0 Following'])
    })

    test('a signed-in visitor reports a collection and a bookmark that a secret link shows', async ({
      page,
      otherPage,
      site,
    }) => {
      const [ana, ben, mo] = [
        await createAccount(site, 'ana'),
        await createAccount(site, 'ben'),
        await createAccount(site, 'mo'),
      ]
      await runAdmin(site, 'promote', mo.username)
      const { id, name } = await createCollectionOf(site, ana, 'private', ['Open water', 'Deep water'])
      const input = { params: { id }, body: { shows_private: true } }
      const { link } = await call(
        httpTransport(site),
        createCollectionLink,
        input,
        await logInForToken(site, ana),
      )
      await openSignedIn(page, site, ben, `/unlisted/${link?.token}`)
      await page.getByRole('button', { name: 'Report collection' }).click()
      const dialog = page.getByRole('dialog', { name: 'Report collection' })
      await expect(dialog.getByText('A moderator will review this collection.')).toBeVisible()
      await expectAccessible(page)
      await dialog.getByRole('radio', { name: 'Spam or a scam' }).check()
      await dialog.getByRole('button', { name: 'Submit Report' }).click()
      await expect(dialog.getByText('Thank you. A moderator will look at this.')).toBeVisible()
      await dialog.getByRole('button', { name: 'Done' }).click()

      await page.getByRole('link', { name: 'Deep water' }).click()
      await page.getByRole('button', { name: 'Report video' }).click()
      const videoDialog = page.getByRole('dialog', { name: 'Report video' })
      await videoDialog.getByRole('radio', { name: 'Spam or a scam' }).check()
      await videoDialog.getByRole('button', { name: 'Submit Report' }).click()
      await expect(videoDialog.getByText('Thank you. A moderator will look at this.')).toBeVisible()

      await openSignedIn(otherPage, site, mo, `/moderator?kind=user&case=user-${await userIdOf(site, ana)}`)
      await expect(otherPage.getByText(`Collection “${name}”, seen by its secret link`)).toBeVisible()
      await expect(otherPage.getByRole('list', { name: `Newest bookmarks of “${name}”` })).toContainText(
        'Deep water',
      )
      await expectAccessible(otherPage)
    })

    test('a private collection is shared by a secret link, which is replaced and revoked', async ({
      page,
      otherPage,
      site,
    }) => {
      const ana = await createAccount(site, 'ana')
      const { id, name } = await createCollectionOf(site, ana, 'private', ['Open water', 'Deep water'])
      await openSignedIn(page, site, ana, `/collections/${id}`)
      await page.getByRole('button', { name: /^More options for / }).click()
      await page.getByRole('menuitem', { name: 'Secret link' }).click()
      const dialog = page.getByRole('dialog', { name: 'Secret link' })
      await expect(dialog.getByText(/2 bookmarks, including 1 private bookmark/)).toBeVisible()
      await activate(dialog.getByRole('switch', { name: 'Show private bookmarks' }), 'Space')
      await expect(dialog.getByText(/your username, and 1 bookmark, each/)).toBeVisible()
      await activate(dialog.getByRole('button', { name: 'Create link' }), 'mouse')
      const link = dialog.getByLabel('Link', { exact: true })
      await expect(link).toHaveValue(/\/unlisted\/[\w-]{43}$/)
      await expectAccessibleAtBothWidths(page)
      await dialog.getByRole('button', { name: 'Copy link' }).click()
      await expect(dialog.getByText('Copied')).toBeVisible()
      const first = await link.inputValue()

      // A visitor opens it.
      const response = await otherPage.goto(first)
      expect(await response?.text()).not.toContain(name)
      await expect(otherPage.getByRole('heading', { level: 1, name })).toBeVisible()
      await expect(otherPage.getByText('Deep water')).toBeHidden()
      await expect(otherPage.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/)
      await expect(otherPage.locator('meta[name="referrer"]')).toHaveAttribute('content', 'no-referrer')
      await activate(dialog.getByRole('switch', { name: 'Show private bookmarks' }), 'Space')
      await expect(dialog.getByText(/2 bookmarks, including 1 private bookmark/)).toBeVisible()
      await otherPage.reload()
      await expectAccessibleAtBothWidths(otherPage)
      await otherPage.getByRole('link', { name: 'Deep water' }).focus()
      await otherPage.keyboard.press('Enter')
      await expect(otherPage.getByRole('heading', { level: 1, name: 'Deep water' })).toBeVisible()
      await expectAccessibleAtBothWidths(otherPage)
      await otherPage.getByRole('link', { name: `Back to ${name}` }).click()
      await expect(otherPage.getByRole('heading', { level: 1, name })).toBeVisible()

      // The visitor chooses an order, which is part of the address.
      const order = otherPage.getByLabel('Order')
      await expect(order).toHaveValue('newest')
      const titles = otherPage.getByRole('main').getByRole('heading', { level: 2 })
      await expect(titles).toHaveText(['Deep water', 'Open water'])
      await order.selectOption('Oldest first')
      await expect(titles).toHaveText(['Open water', 'Deep water'])
      await expect(otherPage).toHaveURL(/\?sort=oldest$/)
      await otherPage.reload()
      await expect(titles).toHaveText(['Open water', 'Deep water'])
      await order.focus()
      await otherPage.keyboard.press('End')
      await expect(titles).toHaveText(['Deep water', 'Open water'])
      await expect(order).toBeFocused()
      await expect(otherPage.getByRole('button', { name: /^Report/ })).toHaveCount(0)

      // Replaced and revoked links are not found.
      await activate(dialog.getByRole('button', { name: 'Replace' }), 'Enter')
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await dialog.getByRole('button', { name: 'Replace link' }).click()
      await expect(link).not.toHaveValue(first)
      const second = await link.inputValue()
      await otherPage.goto(first)
      await expect(otherPage.getByRole('heading', { name: 'Link not found' })).toBeVisible()
      await otherPage.goto(second)
      await expect(otherPage.getByRole('heading', { level: 1, name })).toBeVisible()
      await activate(dialog.getByRole('button', { name: 'Revoke' }), 'mouse')
      await dialog.getByRole('button', { name: 'Revoke link' }).click()
      await expect(dialog.getByRole('button', { name: 'Create link' })).toBeVisible()
      await otherPage.goto(second)
      await expect(otherPage.getByRole('heading', { name: 'Link not found' })).toBeVisible()
    })
  })
}
