/** An export that is imported into an empty account gives the same export, whatever the library contains. */
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import { exportOnlyListNames } from '@reelmark/contract/transfer-account.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signUp } from '../../testing/test-users.ts'
import { useEmptySite } from '../../testing/use-site.ts'
import { emptyFile, exportAccount, importFile, sampleBookmark } from './full-account.fixture.ts'

const site = await useEmptySite({ work: true })

/** The part of an export that an import restores. */
const restored = ({ username, exported_at, comments, account, ...rest }: TransferFile) =>
  Object.fromEntries(
    Object.entries(rest).filter(([name]) => !exportOnlyListNames.some((ignored) => ignored === name)),
  )

const text = fc.string({ unit: 'grapheme', maxLength: 30 })
const visibleText = text.map((written) => `x${written}`)
const name = fc.constantFrom('Films', 'Ünïcode 🎬', '=1+1', '<b>', '.', 'Films ')
/** With microseconds; few different days, so that some are equal. */
const time = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom('000000', '000001', '123456', '999999'))
  .map(([day, micros]) => `2021-02-0${day}T03:04:05.${micros}Z`)
const listOrder = fc.constantFrom('manual' as const, 'newest' as const, 'oldest' as const, 'title' as const)
const access = fc.constantFrom('public' as const, 'private' as const)

const channel = fc.record({ name, description: text, list_order: listOrder })
const collection = fc.record({
  name,
  description: text,
  access,
  created_at: time,
  list_order: listOrder,
  channels: fc.array(channel, { maxLength: 3 }),
})
const bookmark = fc.record({
  chosen: fc.nat(),
  channel: fc.option(fc.nat()),
  link: fc.nat({ max: 40 }),
  fields: fc.record({
    title: visibleText,
    description: text,
    private_note: text,
    tags: fc.uniqueArray(fc.constantFrom('sea', 'two words', 'ünïcode', '=tag'), { maxLength: 3 }),
    access,
    created_at: time,
    start_seconds: fc.option(fc.integer({ min: 1, max: 9999 })),
    collection_order_key: fc.option(
      fc.constantFrom('M7000000000000a', 'M70000000000001', 'M7fffffffffffff8'),
      {
        nil: undefined,
      },
    ),
  }),
})

const library = fc
  .tuple(fc.array(collection, { minLength: 1, maxLength: 5 }), fc.array(bookmark, { maxLength: 25 }))
  .map(
    ([collections, bookmarks]): TransferFile => ({
      ...emptyFile,
      collections,
      bookmarks: bookmarks.map(({ chosen, channel, link, fields }) => {
        const index = chosen % collections.length
        const channels = collections[index]?.channels.length ?? 0
        const { collection_order_key, ...rest } = fields
        return sampleBookmark(`https://films.example.org/round-trip/${link}`, {
          ...rest,
          ...(collection_order_key === undefined ? {} : { collection_order_key }),
          collection: index,
          channel: channel === null || channels === 0 ? null : channel % channels,
        })
      }),
    }),
  )

test('an export imported into an empty account is exported identically, with its dates and order', {
  tags: ['heavy'],
}, async () => {
  let users = 0
  await fc.assert(
    fc.asyncProperty(library, async (file) => {
      users += 1
      const [first, second] = [await signUp(site, `first${users}`), await signUp(site, `second${users}`)]
      expect(await importFile(site, first, file)).toMatchObject({ state: 'done', failed: 0, problems: [] })
      const exported = await exportAccount(site, first)
      const times = exported.bookmarks.map(({ created_at }) => created_at)
      expect(times).toEqual(times.toSorted())
      expect(await importFile(site, second, exported)).toMatchObject({
        state: 'done',
        duplicates: 0,
        failed: 0,
      })
      expect(restored(await exportAccount(site, second))).toEqual(restored(exported))
    }),
    { numRuns: 12 },
  )
})
