import { expect, test } from 'vitest'
import { classifyShape } from './shape.ts'

test.each([
  [1280, 720, 'landscape'],
  [720, 1280, 'portrait'],
  [640, 640, 'square'],
  [103, 100, 'square'],
  [104, 100, 'landscape'],
  [97, 100, 'square'],
  [96, 100, 'portrait'],
])('a frame of %i × %i is %s', (width, height, shape) => {
  expect(classifyShape({ width, height })).toBe(shape)
})
