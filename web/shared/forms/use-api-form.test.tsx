import { renamePasskey } from '@reelmark/contract/passkeys.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { useApiForm } from './use-api-form.ts'

afterEach(() => {
  cleanup()
  resetBrowser()
  vi.unstubAllGlobals()
})

function RenameForm({ onSuccess = () => undefined }: { onSuccess?: (name: string) => void }) {
  const form = useApiForm(renamePasskey, {
    fields: ['name'],
    validate: ({ name }) => (name.trim() === '' ? { name: 'Name is required.' } : {}),
    toInput: ({ name }) => ({ params: { id: 3 }, body: { name: name.trim() } }),
    onSuccess: (reply) => onSuccess(reply.name),
  })
  return (
    <form {...form.props}>
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <Field label="Name" error={form.fieldErrors.name}>
        <Input name="name" defaultValue="Phone" />
      </Field>
      <Button type="submit" busy={form.busy}>
        Save
      </Button>
    </form>
  )
}

async function renderForm(reply: FakeAnswer, onSuccess?: (name: string) => void) {
  signInAs('ada')
  const requests = fakeApi(() => reply)
  await renderPage(<RenameForm {...(onSuccess !== undefined && { onSuccess })} />)
  return requests
}

const field = () => screen.getByLabelText<HTMLInputElement>('Name')

async function save(text: string) {
  await userEvent.clear(field())
  await userEvent.type(field(), `${text}{Enter}`)
}

test('sends the values of the fields and passes on the response', async () => {
  const onSuccess = vi.fn()
  const requests = await renderForm([200, { id: 3, name: 'Laptop' }], onSuccess)
  await save('  Laptop ')
  await waitFor(() => expect(onSuccess).toHaveBeenCalledWith('Laptop'))
  expect(requests[0]).toMatchObject({ method: 'PATCH', body: { name: 'Laptop' } })
})

test('an invalid field shows its error and gets the focus, and nothing is sent', async () => {
  const requests = await renderForm([200, {}])
  await save(' ')
  expect((await screen.findByRole('alert')).textContent).toBe('Name is required.')
  expect(document.activeElement).toBe(field())
  expect(requests).toHaveLength(0)
})

test('a server error about a field appears at the field, and the input stays', async () => {
  await renderForm([400, { name: ['This name is too long.'] }])
  await save('Laptop')
  await waitFor(() => expect(field().getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByRole('alert').textContent).toBe('This name is too long.')
  expect(document.activeElement).toBe(field())
  expect(field().value).toBe('Laptop')
})

test('a server error about no field appears above the form and gets the focus', async () => {
  await renderForm([409, { detail: "You've reached the limit. Delete one first." }])
  await save('Laptop')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe("You've reached the limit. Delete one first.")
  await waitFor(() => expect(document.activeElement).toBe(alert))
  expect(field().getAttribute('aria-invalid')).toBeNull()
})
