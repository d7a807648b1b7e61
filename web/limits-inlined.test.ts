// @vitest-environment node
import { limits } from '@reelmark/contract/limits.ts'
import { expect, it } from 'vitest'
import { inlined } from './limits-inlined.ts'

it('writes the numbers where limits are read', () => {
  const { pageSize, tagMax } = limits
  expect(inlined('limits.tagMax.toLocaleString(); 2 * limits.pageSize')).toBe(
    `(${tagMax}).toLocaleString(); 2 * (${pageSize})`,
  )
})

it('touches nothing else', () => {
  const code = "import { limits } from '@reelmark/contract/limits.ts'; own.limits.tagMax; limits.ofOthers"
  expect(inlined(code)).toBe(code)
})
