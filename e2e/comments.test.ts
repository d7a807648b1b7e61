import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { listChannels, listCollections } from '@reelmark/contract/collections.ts'
import { createComment, createReply } from '@reelmark/contract/comments.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { createAccount, fillLogin, logInForToken, openSignedIn } from './accounts.ts'
import {
  type Account,
  expect,
  expectAccessibleAtBothWidths,
  test,
  uniqueName,
  waitForIdle,
} from './fixtures.ts'
import { httpTransport } from './http-transport.ts'
import type { Site } from './site-process.ts'

/** Saves a new public bookmark for the account. */
async function createBookmark(site: Site, account: Account) {
  const token = await logInForToken(site, account)
  const { results } = await call(httpTransport(site), listCollections, { query: {} }, token)
  const id = results[0]?.id ?? 0
  const channels = await call(httpTransport(site), listChannels, { params: { id }, query: {} }, token)
  const name = uniqueName('film')
  return call(
    httpTransport(site),
    saveBookmark,
    {
      body: {
        video: { source_url: `https://films.example.org/watch/${name}`, title: `The Harbour ${name}` },
        bookmark: { channel_id: channels.results[0]?.id ?? 0 },
      },
    },
    token,
  )
}

test.use({ viewport: { width: 390, height: 800 } })

test('two users comment on a video, and a visitor reads it without JavaScript', {
  tag: '@essential',
}, async ({ page, otherPage, site, browser }) => {
  const ana = await createAccount(site, 'ana')
  const ben = await createAccount(site, 'ben')
  const bookmark = await createBookmark(site, ana)
  const path = `/bookmarks/${bookmark.id}`

  // Logging in returns a visitor to the comments.
  await page.goto(path)
  await expect(page.getByText('Sign in to join the conversation')).toBeVisible()
  await waitForIdle(page)
  await page.locator('#comments').getByRole('link', { name: 'Sign In' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Log in' }).click()
  await fillLogin(page, ben)
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page).toHaveURL(path)
  const box = page.getByLabel('Your comment')
  await expect(box).toBeFocused()
  await expect(page.getByRole('button', { name: 'Post comment' })).toBeDisabled()
  // A link to this site, because comments of new accounts with other links are held for moderators.
  const words = `A lovely film.\nSee ${site.url}/explore?a=1&b=2.`
  await box.fill(words)
  await expect(page.getByText(`${words.length}/500`)).toBeVisible()
  await page.getByRole('button', { name: 'Post comment' }).click()
  const comment = page.getByRole('article', { name: `Comment by ${ben.username}` })
  await expect(comment).toContainText('A lovely film.')
  await expect(box).toBeFocused()
  await expect(box).toHaveValue('')
  await expect(page.getByRole('heading', { name: /Comments/ })).toContainText('1')
  await expect(comment.getByRole('link', { name: site.url })).toHaveAttribute('rel', 'nofollow ugc noopener')

  // The owner of the bookmark replies and is marked as its author.
  await openSignedIn(otherPage, site, ana, path)
  const theirs = otherPage.getByRole('article', { name: `Comment by ${ben.username}` })
  await expect(theirs.getByRole('button', { name: 'Edit' })).toHaveCount(0)
  await theirs.getByRole('button', { name: 'Reply' }).click()
  await otherPage.getByLabel(`Your reply to ${ben.username}`).fill('Thank you!')
  await expectAccessibleAtBothWidths(otherPage)
  await otherPage.getByRole('button', { name: 'Post reply' }).click()
  const reply = otherPage.getByRole('article', { name: `Reply by ${ana.username}` })
  await expect(reply).toContainText('Thank you!')
  await expect(reply).toContainText('Author')
  await expect(otherPage.getByRole('button', { name: 'Hide replies' })).toBeVisible()

  // The author edits the comment.
  await page.reload()
  await comment.getByRole('button', { name: 'Edit' }).click()
  await comment.getByLabel('Your comment').fill('A very lovely film.')
  await comment.getByRole('button', { name: 'Save' }).click()
  await expect(comment).toContainText('A very lovely film.')
  await expect(comment).toContainText('edited')
  await expect(comment.getByRole('button', { name: 'Edit' })).toBeFocused()

  // A reader without JavaScript, like many search engines.
  const reader = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url })
  const plain = await reader.newPage()
  await plain.goto(path)
  await expect(plain.getByText('A very lovely film.')).toBeVisible()
  await expect(plain.getByText('Show 1 reply')).toBeVisible()
  await reader.close()

  // Deleting the comment also deletes the reply.
  await comment.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Are you sure you want to delete this comment?')
  await expectAccessibleAtBothWidths(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await comment.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(comment).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Comments' })).toBeFocused()
  await otherPage.reload()
  await expect(otherPage.getByText(/No comments yet/)).toBeVisible()
})

test('a comment is written, edited and deleted by keyboard, and its draft survives a reload', async ({
  page,
  site,
}) => {
  const ana = await createAccount(site, 'ana')
  const bookmark = await createBookmark(site, ana)
  await openSignedIn(page, site, ana, `/bookmarks/${bookmark.id}`)
  const box = page.getByLabel('Your comment')
  await box.focus()
  await page.keyboard.type('Half a thought')
  await page.reload()
  await expect(box).toHaveValue('Half a thought')
  await box.focus()
  await page.keyboard.press('End')
  await page.keyboard.type(' and the rest')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Post comment' })).toBeFocused()
  await page.keyboard.press('Enter')
  const comment = page.getByRole('article', { name: `Comment by ${ana.username}` })
  await expect(comment).toContainText('Half a thought and the rest')
  await expect(box).toBeFocused()

  await comment.getByRole('button', { name: 'Edit' }).focus()
  await page.keyboard.press('Enter')
  await expect(comment.getByLabel('Your comment')).toBeFocused()
  await page.keyboard.type('!')
  await page.keyboard.press('Control+Enter')
  await expect(comment).toContainText('and the rest!')
  await expect(comment.getByRole('button', { name: 'Edit' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(comment).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Comments' })).toBeFocused()
})

test('a permanent link opens a comment on a later page, and a reply', async ({ page, site }) => {
  const ana = await createAccount(site, 'ana')
  const bookmark = await createBookmark(site, ana)
  const token = await logInForToken(site, ana)
  const post = (content: string) =>
    call(httpTransport(site), createComment, { params: { id: bookmark.video.id }, body: { content } }, token)
  const first = await post('The first of all')
  for (let n = 2; n <= 25; n += 1) await post(`Comment number ${n}`)
  const params = { id: first.id }
  const reply = await call(
    httpTransport(site),
    createReply,
    { params, body: { content: 'An answer' } },
    token,
  )

  await page.goto(`/bookmarks/${bookmark.id}#comment-${first.id}`)
  const comment = page.locator(`#comment-${first.id}`)
  await expect(comment).toBeFocused()
  await expect(comment).toBeInViewport()
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(page.getByText('Comment number 2', { exact: true })).toBeVisible()
  await expect(page.getByText('The first of all')).toHaveCount(1)

  await page.goto(`/bookmarks/${bookmark.id}?comment=${reply.id}`)
  await expect(page.locator(`#comment-${reply.id}`)).toBeFocused()
  await expect(page.locator(`#comment-${reply.id}`)).toContainText('An answer')
  await expectAccessibleAtBothWidths(page)
})

test('long words and links in comments fit a 320 px wide screen', async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  const ana = await createAccount(site, 'averyveryverylong')
  const bookmark = await createBookmark(site, ana)
  const token = await logInForToken(site, ana)
  const content = `${'w'.repeat(200)} ${site.url}/${'a-long-path/'.repeat(10)}`
  const params = { id: bookmark.video.id }
  const { id } = await call(httpTransport(site), createComment, { params, body: { content } }, token)
  await call(httpTransport(site), createReply, { params: { id }, body: { content } }, token)
  await openSignedIn(page, site, ana, `/bookmarks/${bookmark.id}`)
  await page.getByRole('button', { name: 'Show 1 reply' }).click()
  await expect(page.locator('#comments').getByRole('article')).toHaveCount(2)
  await page.getByRole('button', { name: 'Reply' }).click()
  await expect(page.getByRole('button', { name: 'Post reply' })).toBeVisible()
  await expectAccessibleAtBothWidths(page)
})
