import { expect, test } from 'vitest'
import { isPictureLink } from './queries.ts'

test.each([
  '',
  'pic.jpg',
  'https://',
  'https://pictures',
  'https://pictures.example',
  'https://pictures.example/',
  'https://pictures.example/2026/',
  'https://pictures.example/?',
])('a preview of %j is not requested, because it is not complete', (link) =>
  expect(isPictureLink(link)).toBe(false),
)

test.each(['https://pictures.example/a.jpg', 'http://localhost:3000/a', 'https://pictures.example/?id=7'])(
  'a preview of %j is requested',
  (link) => expect(isPictureLink(link)).toBe(true),
)
