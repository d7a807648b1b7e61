/**
 * Checks with axe each page state that an address and at most one click open, in both themes and at both widths. A
 * state that only a flow reaches is checked once, in the test of that flow, and open dialogs in dialogs.test.ts.
 */
import type { Locator, Page } from '@playwright/test'
import { openSignedIn } from './accounts.ts'
import { type Account, chooseAction, expect, expectAccessibleInBothThemes, test } from './fixtures.ts'
import { createScene, type Scene } from './scene.ts'

interface PageState {
  name: string
  path: string | ((scene: Scene) => string)
  /** A text of the state that is visible once it is complete. */
  shows: string | RegExp
  /** What the user does after opening the page. */
  act?: (page: Page, scene: Scene) => Promise<void>
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first().click()
/** Types into the search field of the header, which phones show once its magnifying glass was touched. */
const typeSearch = (text: string) => async (page: Page) => {
  await page.locator('#search').focus()
  await expect(page.getByRole('combobox', { name: 'Search', exact: true })).toBeVisible()
  await page.keyboard.type(text)
}
/** Opens the form of Ana's bookmark. */
async function editBookmark(page: Page): Promise<void> {
  await chooseAction(page, 'Edit')
  await page.getByRole('dialog').getByLabel('Description').waitFor()
}
/** Types most of a username after an `@` and waits for the users to mention. */
async function typeMention(field: Locator, { username }: Account): Promise<void> {
  await field.fill(`@${username.slice(0, -1)}`)
  await field.page().getByRole('option').first().waitFor()
}
const openFollowing = (tab: string) => async (page: Page) => {
  await press('1 Following')(page)
  await page.getByRole('dialog').getByRole('tab', { name: tab }).click()
}
const profile = ({ ana }: Scene) => `/users/${ana.username}`
const profileOfBen = ({ ben }: Scene) => `/users/${ben.username}`
const bookmark = (scene: Scene) => `/bookmarks/${scene.bookmark}`
const collections = (scene: Scene) => `${profile(scene)}?tab=collections`

const states: Record<'visitor' | 'ana' | 'ben' | 'mo', PageState[]> = {
  visitor: [
    { name: 'home', path: '/', shows: 'Create Your Vault' },
    { name: 'Explore', path: '/explore', shows: /^Page 1 of/ },
    { name: 'Explore without results', path: '/explore?q=%22no%20such%20words%22', shows: /\(0 results\)/ },
    { name: 'suggestions while typing', path: '/contact', shows: 'The harbour', act: typeSearch('har') },
    {
      name: 'suggestions for a link',
      path: '/contact',
      shows: 'Save this video',
      act: typeSearch('https://films.example.org/x'),
    },
    { name: 'a link in the search of Explore', path: '/explore?q=youtu.be/x', shows: 'Save this video' },
    { name: 'found collections', path: '/explore/collections?q=sea', shows: 'Sea films' },
    { name: 'found people', path: ({ ana }) => `/explore/people?q=${ana.username}`, shows: /^1 follower,/ },
    { name: 'found tags', path: '/explore/tags?q=sea', shows: 'Explore Tags' },
    { name: 'no people found', path: '/explore/people?q=zzzz', shows: 'No people found' },
    { name: 'login', path: '/login', shows: 'Keep me logged in for a week' },
    { name: 'registration', path: '/register', shows: 'Confirm Password' },
    { name: 'a forgotten password', path: '/forgot-password', shows: 'Send Password Reset Email' },
    { name: 'an incomplete reset link', path: '/reset-password', shows: 'Invalid password reset link.' },
    { name: 'an invalid e-mail link', path: '/confirm-email', shows: 'The link is invalid or has expired.' },
    { name: 'privacy', path: '/privacy', shows: 'Privacy Policy' },
    { name: 'terms', path: '/terms', shows: 'Terms of Service' },
    { name: 'careers', path: '/careers', shows: 'Careers' },
    { name: 'contact', path: '/contact', shows: 'Contact' },
    { name: 'transparency', path: '/transparency', shows: 'How we moderate' },
    { name: 'an unknown address', path: '/no/such/page', shows: 'Page not found' },
    { name: 'a missing username', path: '/users/', shows: 'No username provided in route.' },
    { name: 'an unknown collection', path: '/collections/99999999', shows: 'Collection not found' },
    { name: 'a profile', path: profile, shows: 'The harbour' },
    {
      name: 'a profile without likes',
      path: (scene) => `${profile(scene)}?tab=liked`,
      shows: 'No liked videos found',
    },
    { name: 'the collections of a profile', path: collections, shows: 'Sea films' },
    {
      name: 'a collection of a profile',
      path: (scene) => `${collections(scene)}&collection=${scene.collection}`,
      shows: 'All bookmarks in this collection',
    },
    {
      name: 'a channel of a profile',
      path: (scene) => `${collections(scene)}&collection=${scene.collection}&channel=${scene.channel}`,
      shows: 'The harbour',
    },
    { name: 'a collection', path: ({ collection }) => `/collections/${collection}`, shows: '3 bookmarks' },
    {
      name: 'an embedded collection',
      path: ({ collection }) => `/embed/collections/${collection}`,
      shows: 'The harbour',
    },
    { name: 'a channel', path: ({ channel }) => `/channels/${channel}`, shows: 'The harbour' },
    {
      name: 'a bookmark with comments and replies',
      path: bookmark,
      shows: 'And of harbours',
      act: press('Show 1 reply'),
    },
  ],
  ana: [
    { name: 'home', path: '/', shows: 'My Vault' },
    { name: 'the own profile', path: profile, shows: 'Edit Profile' },
    {
      name: 'an own collection',
      path: ({ collection }) => `/collections/${collection}`,
      shows: '3 bookmarks',
    },
    { name: 'an own bookmark', path: bookmark, shows: 'A film of waves' },
    {
      name: 'an own bookmark in the play queue of its channel',
      path: (scene) => `${bookmark(scene)}?channel=${scene.channel}`,
      shows: '1 of 3',
    },
    {
      name: 'users to mention in the description of a bookmark',
      path: bookmark,
      shows: /^ben[a-z\d]+$/,
      act: async (page, { ben }) => {
        await editBookmark(page)
        await typeMention(page.getByRole('dialog').getByLabel('Description'), ben)
      },
    },
    { name: 'adding a bookmark by its link', path: '/bookmarks/create?tab=url', shows: 'Extract Info' },
    {
      name: 'adding a bookmark manually',
      path: '/bookmarks/create?tab=manual',
      shows: 'Fill the form to see a preview.',
    },
    { name: 'the trash', path: '/trash', shows: '30 days left' },
    { name: 'Watch Later', path: '/watch-later', shows: 'Watch Later' },
    { name: 'own tags', path: '/tags', shows: /undo it for 7 days/ },
    { name: 'an empty history', path: '/history', shows: 'No watched videos yet' },
    { name: 'notifications', path: '/notifications', shows: /replied to your comment/ },
    { name: 'profile settings', path: '/settings/profile', shows: 'Default bookmark collection' },
    {
      name: 'account settings with an unconfirmed address',
      path: '/settings/account',
      shows: 'Confirm your email',
    },
    { name: 'security settings', path: '/settings/security', shows: 'This device' },
    { name: 'privacy settings', path: '/settings/privacy', shows: 'Who can see' },
    { name: 'notification settings', path: '/settings/notifications', shows: 'Someone follows you' },
    { name: 'appearance settings', path: '/settings/appearance', shows: 'Single-key shortcuts' },
    { name: 'data settings', path: '/settings/data', shows: /No exports yet/ },
    { name: 'saving from anywhere', path: '/settings/save', shows: 'Bookmarklet' },
    { name: 'webhook settings', path: '/settings/webhooks', shows: 'No webhooks yet.' },
    { name: 'token settings', path: '/settings/tokens', shows: /No tokens yet/ },
    { name: 'blocked users', path: '/settings/blocked', shows: "You haven't blocked anyone." },
  ],
  ben: [
    { name: 'the profile of a followed user', path: profile, shows: /^Unfollow/ },
    { name: 'the menu of a profile', path: profile, shows: /^Block /, act: press(/^More options for /) },
    {
      name: 'followed collections',
      path: profileOfBen,
      shows: /^Collection by /,
      act: openFollowing('Collections'),
    },
    { name: 'followed tags', path: profileOfBen, shows: /^sea$/, act: openFollowing('Tags') },
    {
      name: 'a followed collection',
      path: ({ collection }) => `/collections/${collection}`,
      shows: /^Following$/,
    },
    { name: 'a followed tag', path: '/explore?tag=sea', shows: 'Following this tag' },
    { name: 'a liked bookmark', path: bookmark, shows: '1 like' },
    {
      name: 'a collection by its secret link',
      path: ({ linkToken }) => `/unlisted/${linkToken}`,
      shows: 'Report collection',
    },
    {
      name: 'a bookmark by the secret link of its collection',
      path: (scene) => `/unlisted/${scene.linkToken}/${scene.bookmark}`,
      shows: 'Report video',
    },
    {
      name: 'users to mention',
      path: bookmark,
      shows: /^ana[a-z\d]+$/,
      act: (page, { ana }) => typeMention(page.getByLabel('Your comment'), ana),
    },
    { name: 'no notifications', path: '/notifications', shows: 'No notifications yet' },
    { name: 'an empty trash', path: '/trash', shows: 'Deleted bookmarks appear here for 30 days.' },
    { name: 'own reports', path: '/settings/reports', shows: 'In review' },
  ],
  mo: [
    { name: 'cases', path: '/moderator', shows: 'The second storm' },
    { name: 'appeals', path: '/moderator/appeals', shows: 'No open appeals' },
    { name: 'users', path: '/moderator/users', shows: /^Joined / },
    { name: 'content rules', path: '/moderator/rules', shows: 'Add a rule' },
    { name: 'the log', path: '/moderator/log', shows: 'View changes' },
    {
      name: 'a case',
      path: '/moderator',
      shows: 'Message to the user',
      act: (page) => page.getByRole('link', { name: 'The second storm' }).first().click(),
    },
    { name: 'statistics', path: '/moderator/statistics', shows: 'Median time' },
    { name: 'link checks', path: '/moderator/links', shows: 'In 30 days' },
    {
      name: 'the history of a user',
      path: ({ ana }) => `/moderator/users/${ana.username}`,
      shows: /^Suspend$/,
    },
  ],
}

const viewers = { visitor: 'a visitor', ana: 'a user with content', ben: 'a new user', mo: 'a moderator' }

for (const viewer of ['visitor', 'ana', 'ben', 'mo'] as const) {
  test(`the pages that ${viewers[viewer]} opens are accessible in both themes and at both widths`, async ({
    page,
    site,
    expectedNoise,
  }) => {
    test.slow()
    // Pages that do not exist.
    expectedNoise.push(/404/)
    const scene = await createScene(site)
    if (viewer !== 'visitor') await openSignedIn(page, site, scene[viewer], '/contact')
    for (const { name, path, shows, act } of states[viewer]) {
      await test.step(name, async () => {
        await page.goto(typeof path === 'string' ? path : path(scene))
        await act?.(page, scene)
        await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible()
        await expectAccessibleInBothThemes(page)
      })
    }
  })
}
