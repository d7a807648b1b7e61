/** Completing `@name` in comments, replies and descriptions: by keyboard, mouse and touch, on a phone and on a desktop. */

import type { Page } from '@playwright/test'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { createComment } from '@reelmark/contract/comments.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, logInForToken, openSignedIn } from './accounts.ts'
import { type Account, chooseAction, expect, test, uniqueName } from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

async function createBookmark(site: Site, account: Account) {
  const token = await logInForToken(site, account)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const video = { source_url: `https://films.example.org/watch/${uniqueName('film')}`, title: 'The Harbour' }
  const bookmark = { channel_id: results[0]?.channels[0]?.id ?? 0 }
  return call(httpTransport(site), saveBookmark, { body: { video, bookmark } }, token)
}

/** Opens a bookmark as its owner. Returns another user, who has commented on it. */
async function openDiscussion(page: Page, site: Site): Promise<Account> {
  const [ana, ben] = [await createAccount(site, 'ana'), await createAccount(site, 'ben')]
  const bookmark = await createBookmark(site, ana)
  const ofVideo = { params: { id: bookmark.video.id }, body: { content: 'A fine film' } }
  await call(httpTransport(site), createComment, ofVideo, await logInForToken(site, ben))
  await openSignedIn(page, site, ana, `/bookmarks/${bookmark.id}`)
  return ben
}

for (const { width, height } of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height }, hasTouch: width < 640 })

    test('a participant of the discussion is mentioned by keyboard, and the mention leads to their profile', async ({
      page,
      site,
    }) => {
      const ben = await openDiscussion(page, site)
      const field = page.getByRole('textbox', { name: 'Your comment' })
      await field.click()
      await page.keyboard.type('Thank you @be')
      const combobox = page.getByRole('combobox', { name: 'Your comment' })
      await expect(combobox).toHaveAttribute('aria-expanded', 'true')
      const option = page.getByRole('option', { name: ben.username })
      await expect(option).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('option').first()).toHaveText(ben.username)
      await expect(combobox).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('listbox')).toBeHidden()
      await expect(field).toBeFocused()
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Backspace')
      await page.keyboard.type(`@${ben.username.slice(0, -1)}`)
      await expect(page.getByRole('option')).toHaveText([ben.username])
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(field).toHaveValue(`Thank you @${ben.username} `)
      await expect(field).toBeFocused()
      await page.keyboard.press('Control+Enter')
      await page
        .locator('#comments')
        .getByRole('link', { name: `@${ben.username}` })
        .click()
      await expect(page).toHaveURL(`/users/${ben.username}`)
    })

    test('a name is completed in a reply with the pointer, and in a description with Tab', async ({
      page,
      site,
    }) => {
      const ben = await openDiscussion(page, site)
      await page.getByRole('button', { name: 'Reply' }).click()
      const reply = page.getByLabel(`Your reply to ${ben.username}`)
      await reply.fill(`@${ben.username.slice(0, -1)}`)
      const option = page.getByRole('option', { name: ben.username })
      await (width < 640 ? option.tap() : option.click())
      await expect(reply).toHaveValue(`@${ben.username} `)
      await expect(reply).toBeFocused()

      await chooseAction(page, 'Edit')
      const description = page.getByRole('dialog').getByLabel('Description')
      await description.fill(`With @${ben.username.slice(0, -1)}`)
      await expect(page.getByRole('dialog').getByRole('option', { name: ben.username })).toBeInViewport()
      await page.keyboard.press('Tab')
      await expect(description).toHaveValue(`With @${ben.username} `)
      await expect(description).toBeFocused()
      await description.pressSequentially(`@${ben.username.slice(0, -1)}`)
      const list = page.getByRole('dialog').getByRole('listbox', { name: 'Users to mention' })
      await expect(list.getByRole('option')).toHaveCount(1)
      // Escape closes the list, and not the dialog.
      await page.keyboard.press('Escape')
      await expect(list).toBeHidden()
      await expect(description).toBeVisible()
    })
  })
}
