import { useQuery } from '@tanstack/react-query'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { Toaster } from '../../../ui/toaster.tsx'
import { profileQuery } from '../profiles/queries.ts'
import { FollowButton } from './follow-button.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Shows mara's follower count and the button, as her page does. */
function TestFollowButton() {
  const { data } = useQuery(profileQuery('mara'))
  if (data === undefined) return null
  return (
    <>
      <p>{data.followers_count} followers</p>
      <FollowButton user={{ id: data.user_id, username: data.username }} isFollowed={data.is_followed} />
      <Toaster />
    </>
  )
}

async function renderButton(answer: (path: string) => FakeAnswer | Promise<FakeAnswer>) {
  const requests = fakeApi(({ method, path }) =>
    method === 'GET'
      ? [200, testProfile(path.split('/')[2] ?? '', { user_id: path.includes('mara') ? 12 : 7 })]
      : answer(path),
  )
  const page = await renderPage(<TestFollowButton />)
  await screen.findByText('0 followers')
  return {
    page,
    postedPaths: () => requests.filter(({ method }) => method === 'POST').map(({ path }) => path),
  }
}

test('a follow shows immediately, and the count follows the server’s response', async () => {
  let reply = (_: FakeAnswer) => {}
  const { postedPaths } = await renderButton(() => new Promise((resolve) => (reply = resolve)))
  await user.click(screen.getByRole('button', { name: 'Follow mara' }))
  expect(screen.getByRole('button', { name: 'Unfollow mara' })).toBeTruthy()
  expect(screen.getByText('0 followers')).toBeTruthy()
  reply([200, { is_followed: true, followers_count: 41 }])
  expect(await screen.findByText('41 followers')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Unfollow mara' })).toBeTruthy()
  expect(postedPaths()).toEqual(['/users/12/follow/'])
})

test('a profile that was requested before the follow, and answered after it, does not hide it', async () => {
  let profileRequests = 0
  const { promise: outdated, resolve: answerOutdated } = Promise.withResolvers<FakeAnswer>()
  fakeApi(({ method }) => {
    if (method === 'POST') return [200, { is_followed: true, followers_count: 41 }]
    profileRequests += 1
    const isCurrent = profileRequests > 2
    const profile = testProfile('mara', {
      user_id: 12,
      is_followed: isCurrent,
      followers_count: isCurrent ? 41 : 0,
    })
    return profileRequests === 2 ? outdated : [200, profile]
  })
  const { client } = await renderPage(<TestFollowButton />)
  await screen.findByText('0 followers')
  void client.refetchQueries(profileQuery('mara'))
  await waitFor(() => expect(profileRequests).toBe(2))
  await user.click(screen.getByRole('button', { name: 'Follow mara' }))
  await waitFor(() => expect(profileRequests).toBe(3))
  answerOutdated([200, testProfile('mara', { user_id: 12 })])
  expect(await screen.findByText('41 followers')).toBeTruthy()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(screen.getByText('41 followers')).toBeTruthy()
})

test('a failed follow is undone and shows an error', async () => {
  await renderButton(() => [500, { detail: 'Something went wrong on our side.', code: 'internal-error' }])
  await user.click(screen.getByRole('button', { name: 'Follow mara' }))
  expect(await screen.findByText("Couldn't follow mara. Try again.")).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Follow mara' })).toBeTruthy()
})

test('pressing again before the response ends in the last chosen state', async () => {
  const replies: ((answer: FakeAnswer) => void)[] = []
  const { postedPaths } = await renderButton(() => new Promise((resolve) => replies.push(resolve)))
  await user.click(screen.getByRole('button', { name: 'Follow mara' }))
  await user.click(screen.getByRole('button', { name: 'Unfollow mara' }))
  expect(screen.getByRole('button', { name: 'Follow mara' })).toBeTruthy()
  replies[0]?.([200, { is_followed: true, followers_count: 1 }])
  await waitFor(() => expect(postedPaths()).toEqual(['/users/12/follow/', '/users/12/unfollow/']))
  replies[1]?.([200, { is_followed: false, followers_count: 0 }])
  await waitFor(() => expect(screen.getByText('0 followers')).toBeTruthy())
  expect(screen.getByRole('button', { name: 'Follow mara' })).toBeTruthy()
})

test('a visitor is redirected to login, and nothing is sent', async () => {
  resetBrowser()
  const { page, postedPaths } = await renderButton(() => [200, {}])
  await user.click(screen.getByRole('button', { name: 'Follow mara' }))
  await waitFor(() => expect(page.path()).toBe('/login?redirect=%2Fhere'))
  expect(postedPaths()).toEqual([])
})

test('users cannot follow themselves', async () => {
  fakeApi(() => [200, testProfile('alice')])
  await renderPage(<FollowButton user={{ id: 7, username: 'Alice' }} isFollowed={false} />)
  expect(screen.queryByRole('button')).toBeNull()
})
