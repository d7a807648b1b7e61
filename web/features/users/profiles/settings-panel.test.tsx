import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { collectionsPage } from '../../../testing/collection-responses.ts'
import { type FakeAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { Toaster } from '../../../ui/toaster.tsx'
import { ProfileSettingsPanel } from './settings-panel.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const alice = testProfile('alice', {
  bio: 'Walks.',
  default_bookmark_orientation: 'gay',
  default_bookmark_collection: null,
  notify_on_follow: false,
})

/** Opens the panel and returns the forms that it sends, which `answer` answers. */
async function openPanel(answer: FakeAnswer) {
  const forms: FormData[] = []
  fakeApi(({ method, path }) => {
    if (method === 'PATCH') return answer
    return [200, path.startsWith('/collections/') ? collectionsPage() : alice]
  })
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (init.body instanceof FormData) forms.push(init.body)
    return fetch(url, init)
  })
  await renderPage(
    <>
      <ProfileSettingsPanel />
      <Toaster />
    </>,
  )
  await screen.findByRole('option', { name: 'Films' })
  return forms
}

test('the profile is saved without the notifications, which other pages change', async () => {
  const forms = await openPanel([200, { ...alice, bio: 'Walks. And runs.' }])
  const bio = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Bio' })
  await user.type(bio, ' And runs.')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Default bookmark collection' }), 'Films')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Profile updated.')).toBeTruthy()
  expect(forms.map((form) => Object.fromEntries(form))).toEqual([
    {
      bio: 'Walks. And runs.',
      default_bookmark_orientation: 'gay',
      default_bookmark_collection: '2',
    },
  ])
  expect(bio.value).toBe('Walks. And runs.')
})

test('a failure keeps the input', async () => {
  await openPanel([500, null])
  const bio = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Bio' })
  await user.type(bio, ' And swims.')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Failed to update profile.'))
  expect(bio.value).toBe('Walks. And swims.')
})

test('changes survive leaving the page, until they are saved or discarded', async () => {
  await openPanel([200, { ...alice, bio: 'Walks. And runs.' }])
  const bio = () => screen.getByLabelText<HTMLTextAreaElement>('Bio')
  const orientation = () => screen.getByLabelText<HTMLSelectElement>('Default bookmark orientation')
  const discard = () => screen.queryByText('Discard changes')
  const reopen = async () => {
    cleanup()
    return openPanel([200, { ...alice, bio: 'Walks. And runs.' }])
  }
  await user.type(bio(), ' And swims.')
  await user.selectOptions(orientation(), 'bi')
  await reopen()
  expect([bio().value, orientation().value]).toEqual(['Walks. And swims.', 'bi'])
  await user.click(screen.getByText('Discard changes'))
  expect([bio().value, orientation().value]).toEqual(['Walks.', 'gay'])
  expect(discard()).toBeNull()
  expect(document.activeElement).toBe(bio())
  await reopen()
  expect(bio().value).toBe('Walks.')
  await user.type(bio(), ' And runs. ')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Profile updated.')
  expect(discard()).toBeNull()
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
})
