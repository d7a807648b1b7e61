/** The one-time link that the first start prints, and what site owners can do. */
import { openSignedIn } from './accounts.ts'
import {
  type Account,
  expect,
  expectAccessible,
  expectAccessibleAtBothWidths,
  newAccount,
  test,
} from './fixtures.ts'
import { runAdmin } from './site-process.ts'

test('the printed link creates the site owner, who appoints and dismisses a moderator', async ({
  page,
  site,
  expectedNoise,
}) => {
  // The link is used twice.
  expectedNoise.push(/400/)
  const [link = ''] = new RegExp(`${site.url}/setup#\\S+`).exec(site.output()) ?? []
  expect(link, site.output()).not.toBe('')
  expect(site.output()).not.toMatch(/password/i)

  const olga = newAccount('olga')
  await page.goto(link)
  await expect(page.locator('meta[name=referrer]')).toHaveAttribute('content', 'no-referrer')
  const create = page.getByRole('button', { name: 'Create account' })
  await create.click()
  await expect(page.getByText('Username is required.')).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await page.setViewportSize({ width: 320, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await fillForm(olga)
  await page.keyboard.press('Enter')
  await expect(page.getByText('You are the owner of this site.')).toBeVisible()
  await expectAccessible(page)

  await page.reload()
  await fillForm(newAccount('late'))
  await create.click()
  await expect(page.getByRole('alert')).toContainText('This setup link is invalid or has expired.')

  const mo = newAccount('mo')
  await runAdmin({ ...site, input: mo.password }, 'create-user', mo.username, '--email', mo.email)
  await page.setViewportSize({ width: 1280, height: 800 })
  await openSignedIn(page, site, olga, `/moderator/users/${mo.username}`)
  await page.getByRole('button', { name: 'Make moderator' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make moderator' }).click()
  await expect(page.getByText(`${mo.username} is now a moderator.`)).toBeVisible()
  await page.getByRole('button', { name: 'Demote' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Demote' }).click()
  await expect(page.getByText(`${mo.username} is no longer a moderator.`)).toBeVisible()
  await expectAccessible(page)

  async function fillForm({ username, email, password }: Account): Promise<void> {
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm Password').fill(password)
  }
})
