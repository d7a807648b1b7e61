/**
 * Opens each dialog on a phone: a finger hits everything in it, and it is accessible in both themes and at both widths. Input is
 * not lost silently.
 */
import type { Page } from '@playwright/test'
import { openSignedIn } from './accounts.ts'
import { chooseAction, expect, expectAccessibleInBothThemes, test, waitForIdle } from './fixtures.ts'
import { createScene, type Scene } from './scene.ts'
import { expectTouchTargets } from './touch-targets.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

interface OpenDialog {
  name: string
  path: string | ((scene: Scene) => string)
  open: (page: Page, scene: Scene) => Promise<unknown>
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name }).filter({ visible: true }).first().click()
const choose = (menu: string | RegExp, item: string) => async (page: Page) => {
  await page.getByRole('main').getByRole('button', { name: menu }).first().click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const act = (name: string) => (page: Page) => chooseAction(page, name)
const key = (name: string) => async (page: Page) => {
  // Shortcuts work once their part of the page is loaded.
  await waitForIdle(page)
  await page.keyboard.press(name)
}
const profile = ({ ana }: Scene) => `/users/${ana.username}`
const ownProfile = ({ ben }: Scene) => `/users/${ben.username}`
const collection = (scene: Scene) => `/collections/${scene.collection}`
const bookmark = (scene: Scene) => `/bookmarks/${scene.bookmark}`
const userHistory = ({ ana }: Scene) => `/moderator/users/${ana.username}`
const ofCollection = (item: string): OpenDialog => ({
  name: `${item} of a collection`,
  path: collection,
  open: choose('More options for Sea films', item),
})

const dialogs: Record<string, { viewer: 'ana' | 'ben' | 'mo'; dialogs: OpenDialog[] }> = {
  'saving and organising': {
    viewer: 'ana',
    dialogs: [
      { name: 'saving a link', path: '/contact', open: key('n') },
      { name: 'the keyboard shortcuts', path: '/contact', open: key('?') },
      { name: 'sharing a collection', path: collection, open: press('Share') },
      ...['Edit', 'Secret link', 'New channel', 'Order…', 'Export', 'Delete'].map(ofCollection),
      { name: 'the form of a bookmark', path: bookmark, open: act('Edit') },
      { name: 'collecting', path: bookmark, open: act('Collect') },
      { name: 'renaming a tag', path: '/tags', open: choose('More about sea', 'Rename') },
    ],
  },
  'a profile and settings': {
    viewer: 'ana',
    dialogs: [
      { name: 'the profile form', path: profile, open: press('Edit Profile') },
      { name: 'pins', path: profile, open: press('Edit pinned') },
      { name: 'followers', path: profile, open: press('1 Follower') },
      {
        name: 'a new collection',
        path: (scene) => `${profile(scene)}?tab=collections`,
        open: press('New collection'),
      },
      {
        name: 'moving bookmarks',
        path: profile,
        async open(page) {
          await press('Search and filters')(page)
          await press('Select')(page)
          await page.getByRole('checkbox', { name: 'The harbour' }).click()
          await page.getByRole('button', { name: /^Move/ }).click()
        },
      },
      { name: 'filters', path: '/explore', open: press('Filters') },
      { name: 'a new token', path: '/settings/tokens', open: press('Create a token') },
      { name: 'a new webhook', path: '/settings/webhooks', open: press('Create a webhook') },
      { name: 'a new subscription', path: '/settings/data', open: press('Subscribe') },
      { name: 'clearing the history', path: '/settings/data', open: press('Clear watch history') },
      { name: 'deleting the account', path: '/settings/account', open: press('Delete account') },
    ],
  },
  'the content of others': {
    viewer: 'ben',
    dialogs: [
      { name: 'collectors', path: bookmark, open: act('Collectors') },
      { name: 'a report', path: bookmark, open: act('Report') },
      { name: 'collecting a collection', path: collection, open: press('Collect all') },
      {
        name: 'a report about a collection',
        path: ({ linkToken }) => `/unlisted/${linkToken}`,
        open: press('Report collection'),
      },
      {
        name: 'blocking',
        path: profile,
        open: (page, { ana }) => choose(/^More options for /, `Block ${ana.username}`)(page),
      },
      { name: 'followed people', path: ownProfile, open: press('1 Following') },
    ],
  },
  moderation: {
    viewer: 'mo',
    dialogs: [
      { name: 'the filters of the queue', path: '/moderator', open: press('Filter') },
      { name: 'a warning', path: userHistory, open: press('Warn') },
      { name: 'a suspension', path: userHistory, open: press('Suspend') },
      { name: 'a ban', path: userHistory, open: press('Ban') },
      { name: 'the form of a video', path: bookmark, open: press('Edit Video') },
      { name: 'deleting a video', path: bookmark, open: press('Delete Video') },
      {
        name: 'another orientation for a case',
        path: '/moderator',
        async open(page) {
          await page.getByRole('link', { name: 'The second storm' }).first().click()
          await page
            .getByRole('region', { name: 'Actions' })
            .getByRole('button', { name: 'Orientation' })
            .click()
        },
      },
    ],
  },
}

for (const [subject, { viewer, dialogs: opened }] of Object.entries(dialogs)) {
  test(`the dialogs of ${subject} suit fingers, keyboards and screen readers`, async ({ page, site }) => {
    test.slow()
    const scene = await createScene(site)
    await openSignedIn(page, site, scene[viewer], '/contact')
    for (const { name, path, open } of opened) {
      await test.step(name, async () => {
        await page.goto(typeof path === 'string' ? path : path(scene))
        await open(page, scene)
        await expect(page.getByRole('dialog')).toBeVisible()
        await expectTouchTargets(page)
        await expectAccessibleInBothThemes(page)
      })
    }
  })
}

test('Escape, Close and Back ask before they discard what was typed', async ({ page, site }) => {
  const { ana, bookmark: id } = await createScene(site)
  await openSignedIn(page, site, ana, '/library')
  await page.getByRole('main').locator(`a[href="/bookmarks/${id}"]`).first().click()
  await expect(page).toHaveURL(`/bookmarks/${id}`)
  await act('Edit')(page)
  const dialog = page.getByRole('dialog', { name: 'Edit Bookmark' })
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  const title = dialog.getByRole('textbox', { name: 'Title', exact: true })
  await expect(title).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type(' at night')
  const typed = await title.inputValue()

  // Escape closes only the question, however often it is pressed.
  for (let press = 0; press < 3; press++) {
    await page.keyboard.press('Escape')
    await expect(question.getByRole('button', { name: 'Continue editing' })).toBeFocused()
    if (press === 0) {
      await expectTouchTargets(page)
      await expectAccessibleInBothThemes(page)
    }
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(title).toBeFocused()
  }
  await page.evaluate(() => history.back())
  await question.getByRole('button', { name: 'Continue editing' }).click()
  await expect(page).toHaveURL(`/bookmarks/${id}`)
  await expect(title).toHaveValue(typed)

  await dialog.getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  await act('Edit')(page)
  await title.fill('Another title')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Bookmark updated.')).toBeVisible()
  await expect(question).toBeHidden()
  await expect(dialog).toBeHidden()
  // Nothing is asked once the dialog is closed.
  await page.goBack()
  await expect(page).toHaveURL('/library')
})
