// @vitest-environment node
import { limits } from '@reelmark/contract/protocol/limits.ts'
import { expect, it } from 'vitest'
import { inlineLimits } from './inline-limits-plugin.ts'

it('writes the numbers where limits are read', () => {
  const { pageSize, tagMax } = limits
  expect(inlineLimits('limits.tagMax.toLocaleString(); 2 * limits.pageSize')).toBe(
    `(${tagMax}).toLocaleString(); 2 * (${pageSize})`,
  )
})

it('touches nothing else', () => {
  const code =
    "import { limits } from '@reelmark/contract/protocol/limits.ts'; own.limits.tagMax; limits.ofOthers"
  expect(inlineLimits(code)).toBe(code)
})
