import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Field, Input } from './field.tsx'

afterEach(cleanup)

it('connects label and hint with the input', () => {
  render(
    <Field label="Tags" hint="Separated by commas">
      <Input />
    </Field>,
  )
  const input = screen.getByLabelText('Tags')
  const hint = document.getElementById(input.getAttribute('aria-describedby') ?? '')
  expect(hint?.textContent).toBe('Separated by commas')
  expect(input.getAttribute('aria-invalid')).toBeNull()
})

it('shows errors in place of the hint', () => {
  render(
    <Field label="Tags" hint="Separated by commas" error={['Too many.', 'Too long.']}>
      <Input />
    </Field>,
  )
  const input = screen.getByLabelText('Tags')
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('alert').textContent).toBe('Too many.Too long.')
  expect(input.getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
})
