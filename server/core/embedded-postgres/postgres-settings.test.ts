import { expect, test } from 'vitest'
import { memorySettings } from './postgres-settings.ts'

const gigabyte = 2 ** 30

test.each([
  [0.5, '128MB', '512MB'],
  [2, '256MB', '1024MB'],
  [24, '3072MB', '12288MB'],
  [512, '4096MB', '65536MB'],
])('on a machine with %d GB the embedded database caches %s and expects %s', (memory, cache, expected) => {
  expect(memorySettings(memory * gigabyte)).toEqual({ shared_buffers: cache, effective_cache_size: expected })
})

test('the memory of the container counts, or else that of the machine', () => {
  expect(Number.parseInt(memorySettings().shared_buffers, 10)).toBeGreaterThanOrEqual(128)
})
