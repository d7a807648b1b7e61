import type { Profile } from '@reelmark/contract/profiles.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../../../shared/session/session-store.ts'
import { collectionsPage } from '../../../testing/collection-responses.ts'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs, pressEscape } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { Toaster } from '../../../ui/toaster.tsx'
import { EditProfileDialog } from './edit-profile-dialog.tsx'
import { profileQuery } from './queries.ts'

const user = userEvent.setup({ delay: null })

beforeAll(fakeDialogs)
beforeEach(() => {
  resetBrowser()
  signInAs('alice')
  URL.createObjectURL = () => 'blob:http://localhost/1'
  URL.revokeObjectURL = () => undefined
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const alice = testProfile('alice', {
  bio: 'Walks.',
  avatar_url: '/media/0a.webp',
  default_bookmark_orientation: 'gay',
  default_bookmark_collection: 2,
  notify_on_follow: false,
  notify_on_own_video_bookmarked: true,
  notify_on_new_bookmark_from_followed_user: true,
  notify_on_own_video_liked: true,
})

/** The multipart forms that were sent, because the simulated server only reads JSON. */
const sentForms: FormData[] = []

async function renderDialog(answer: () => FakeAnswer | Promise<FakeAnswer>, profile: Profile = alice) {
  sentForms.length = 0
  const requests = fakeApi(({ method, path }) => {
    if (method === 'PATCH') return answer()
    return [200, path.startsWith('/collections/') ? collectionsPage() : profile]
  })
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (init.body instanceof FormData) sentForms.push(init.body)
    return fetch(url, init)
  })
  const onClose = vi.fn()
  const page = await renderPage(
    <>
      <EditProfileDialog open username="alice" onClose={onClose} />
      <Toaster />
    </>,
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Profile' }))
  await dialog.findByRole('option', { name: 'Films' })
  return { requests, onClose, page, dialog }
}

const pressSave = (dialog: ReturnType<typeof within>) =>
  user.click(dialog.getByRole('button', { name: 'Save' }))

test('the form shows the current values and sends all of them as multipart', async () => {
  const { dialog, requests, onClose, page } = await renderDialog(() => [200, { ...alice, bio: 'Runs.' }])
  const bio = dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Bio' })
  expect(bio.value).toBe('Walks.')
  expect(dialog.getByText('6/500')).toBeTruthy()
  const value = (name: string) => dialog.getByRole<HTMLSelectElement>('combobox', { name }).value
  expect(value('Default bookmark orientation')).toBe('gay')
  expect(value('Default bookmark collection')).toBe('2')
  expect(dialog.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked)).toEqual([
    false,
    true,
    true,
    true,
  ])
  await user.clear(bio)
  await user.type(bio, 'Runs.')
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Default bookmark collection' }), 'None')
  await user.click(dialog.getByRole('checkbox', { name: 'Someone follows you' }))
  await pressSave(dialog)
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(Object.fromEntries(sentForms[0] ?? [])).toEqual({
    bio: 'Runs.',
    default_bookmark_orientation: 'gay',
    default_bookmark_collection: '',
    notify_on_follow: 'true',
    notify_on_own_video_bookmarked: 'true',
    notify_on_own_video_liked: 'true',
    notify_on_new_bookmark_from_followed_user: 'true',
  })
  const patch = requests.find(({ method }) => method === 'PATCH')
  expect(patch?.path).toBe('/profile/alice/')
  // The browser sets the content type with its boundary.
  expect(patch?.headers).not.toHaveProperty('content-type')
  expect(page.client.getQueryData(profileQuery('alice').queryKey)?.bio).toBe('Runs.')
  expect(getSession().user?.profile.bio).toBe('Runs.')
})

test('a chosen photo is previewed, and can be undone', async () => {
  const { dialog, onClose } = await renderDialog(() => [200, { ...alice, avatar_url: '/media/0b.webp' }])
  const avatarUrl = () => document.querySelector('dialog img')?.getAttribute('src')
  expect(avatarUrl()).toBe('/media/0a.webp')
  const file = new File(['x'], 'me.png', { type: 'image/png' })
  await user.upload(dialog.getByLabelText('Upload photo'), file)
  await waitFor(() => expect(avatarUrl()).toBe('blob:http://localhost/1'))
  await user.click(dialog.getByRole('button', { name: 'Undo' }))
  expect(avatarUrl()).toBe('/media/0a.webp')
  await user.upload(dialog.getByLabelText('Upload photo'), file)
  await pressSave(dialog)
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sentForms[0]?.get('avatar')).toBeInstanceOf(File)
  expect(getSession().user?.profile.avatar_url).toBe('/media/0b.webp')
})

test('a photo can be removed, unless it is the default', async () => {
  const { dialog, onClose } = await renderDialog(() => [200, { ...alice, avatar_url: '/media/default.jpg' }])
  await user.click(dialog.getByRole('button', { name: 'Remove photo' }))
  expect(document.querySelector('dialog img')?.getAttribute('src')).toBe('/media/default.jpg')
  await pressSave(dialog)
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sentForms[0]?.get('avatar')).toBe('')
  cleanup()
  const defaultAvatarPage = await renderDialog(() => [200, alice], {
    ...alice,
    avatar_url: '/media/default.jpg',
  })
  expect(defaultAvatarPage.dialog.queryByRole('button', { name: 'Remove photo' })).toBeNull()
})

test.each<[string, FakeAnswer, string]>([
  [
    'with the reason',
    [403, { detail: "You don't have permission to do this.", code: 'forbidden' }],
    "You don't have permission",
  ],
  ['without a reason', [500, null], 'Failed to update profile.'],
  ['of the connection', 'offline', 'Failed to update profile.'],
])('a failure %s shows an error and keeps the input', async (_what, answer, text) => {
  const { dialog, onClose } = await renderDialog(() => answer)
  const bio = dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Bio' })
  await user.type(bio, ' And swims.')
  await user.click(dialog.getByRole('checkbox', { name: 'Someone follows you' }))
  await pressSave(dialog)
  const alert = await dialog.findByRole('alert')
  expect(alert.textContent).toContain(text)
  expect(document.activeElement).toBe(alert)
  expect(bio.value).toBe('Walks. And swims.')
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: 'Someone follows you' }).checked).toBe(true)
  expect(onClose).not.toHaveBeenCalled()
})

test('a server error about the photo appears at its field, which gets the focus', async () => {
  const problem = 'Choose a JPEG, PNG, WebP or GIF image.'
  const { dialog } = await renderDialog(() => [400, { code: 'invalid', avatar: [problem] }])
  await user.upload(dialog.getByLabelText('Upload photo'), new File(['x'], 'me.png', { type: 'image/png' }))
  await pressSave(dialog)
  expect((await dialog.findByRole('alert')).textContent).toBe(problem)
  expect(document.activeElement).toBe(dialog.getByLabelText('Upload photo'))
})

test('a bio or photo that is too large shows an error, and nothing is sent', async () => {
  const { dialog } = await renderDialog(() => [200, alice])
  const bio = dialog.getByRole('textbox', { name: 'Bio' })
  await user.clear(bio)
  await user.click(bio)
  await user.paste('🎬'.repeat(501))
  expect(dialog.getByText('501/500')).toBeTruthy()
  const large = new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'me.png', { type: 'image/png' })
  await user.upload(dialog.getByLabelText('Upload photo'), large)
  await pressSave(dialog)
  expect(await dialog.findByText('Must be 500 characters or fewer.')).toBeTruthy()
  expect(dialog.getByText('The file is larger than 5 MB.')).toBeTruthy()
  expect(sentForms).toEqual([])
})

test('Escape retains what was typed, and Cancel discards it', async () => {
  const reopen = async () => {
    cleanup()
    const { dialog } = await renderDialog(() => [200, alice])
    return { dialog, bio: dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Bio' }) }
  }
  await user.type((await reopen()).bio, ' And runs.')
  pressEscape(screen.getByRole('dialog', { name: 'Edit Profile' }))
  const { dialog, bio } = await reopen()
  expect(bio.value).toBe('Walks. And runs.')
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect((await reopen()).bio.value).toBe('Walks.')
})
