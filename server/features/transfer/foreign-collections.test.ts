import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { expect, test } from 'vitest'
import { createCollectionPlan } from './foreign-collections.ts'
import { type ImportedItem, isRejected, normaliseItem } from './formats/imported-item.ts'

function createItem(folders: string[]): ImportedItem {
  const item = normaliseItem({ url: 'https://vimeo.com/1', folders }, { file: null, row: 1 })
  if (isRejected(item)) throw new Error(item.reason)
  return item
}

const createPlan = () => createCollectionPlan('Bookmarks')

test('the items of folders beyond the limit are imported into the collection itself', () => {
  const plan = createPlan()
  for (let n = 0; n < limits.channelsMax; n += 1)
    expect(plan.add(createItem(['A', `${n}`]))).toEqual({ collection: 0, channel: n })
  expect(plan.add(createItem(['A', 'another']))).toEqual({ collection: 0, channel: null })
  expect(plan.add(createItem(['A', '7']))).toEqual({ collection: 0, channel: 7 })
  expect(plan.collections[0]?.channels).toHaveLength(limits.channelsMax)
})

test('very many long names of folders are not held in memory', { tags: ['heavy'] }, () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const plan = createPlan()
  const inner = Array.from({ length: 8 }, () => 'x'.repeat(limits.nameMax))
  const item = createItem(['A'])
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 100_000; n += 1) plan.add({ ...item, folders: [`${n % 100}`, `${n}`, ...inner] })
  collectGarbage()
  expect((process.memoryUsage().heapUsed - before) / 1024 / 1024).toBeLessThan(20)
  expect(plan.collections).toHaveLength(100)
})
