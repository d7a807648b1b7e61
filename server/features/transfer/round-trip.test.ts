/** An export that is imported into an empty account gives the same export, whatever the library contains. */
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import { exportOnlyListNames } from '@reelmark/contract/transfer-account.ts'
import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createTestPicture } from '../../testing/test-pictures.ts'
import { signUp } from '../../testing/test-users.ts'
import { useEmptySite } from '../../testing/use-site.ts'
import { readExportZip, requestExport } from './export-zip.fixture.ts'
import { createZip, type ZipEntry } from './formats/zip.fixture.ts'
import {
  emptyFile,
  exportAccount,
  importFile,
  sampleBookmark,
  startAndFinish,
} from './full-account.fixture.ts'
import { uploadFile } from './upload-file.fixture.ts'

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

const drawn = [await createTestPicture(1), await createTestPicture(2), await createTestPicture(3)]
const picture = fc.record({
  source: fc.constantFrom(...drawn),
  width: fc.constantFrom(64, 180, 520),
  height: fc.constantFrom(64, 180),
  format: fc.constantFrom('png' as const, 'jpeg' as const, 'webp' as const),
})
/** For the first bookmarks of a library; null: no picture. */
const pictures = fc.array(fc.option(picture, { freq: 3 }), { minLength: 6, maxLength: 10 })
type Picture = typeof picture extends fc.Arbitrary<infer T> ? T : never

/** Writes an export with a picture for each bookmark that has one. */
async function writeZip(file: TransferFile, chosen: readonly (Picture | null)[]): Promise<Buffer> {
  const entries: ZipEntry[] = []
  const bookmarks = []
  for (const [index, saved] of file.bookmarks.entries()) {
    const { source, width, height, format } = chosen[index] ?? {}
    const name = format === undefined ? null : `pictures/${index}.${format}`
    if (name !== null && format !== undefined) {
      const content = await sharp(source).resize({ width, height, fit: 'fill' }).toFormat(format).toBuffer()
      entries.push({ name, content, method: 0 })
    }
    bookmarks.push({ ...saved, picture: name })
  }
  return createZip([{ name: 'reelmark-x.json', content: JSON.stringify({ ...file, bookmarks }) }, ...entries])
}

const pixelsOf = async (file: Buffer) => {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, size: { width: info.width, height: info.height } }
}

/**
 * Expects that two files show the same picture. They are not the same bytes, because each import decodes and encodes it again, so
 * that no byte of an uploaded file is served.
 */
async function expectSamePicture(found: Buffer, expected: Buffer): Promise<void> {
  const [a, b] = [await pixelsOf(found), await pixelsOf(expected)]
  expect(a.size).toEqual(b.size)
  const difference = a.data.reduce((sum, value, index) => sum + Math.abs(value - (b.data[index] ?? 0)), 0)
  // Levels of 256 on average. Different pictures of this test differ by more than 40.
  expect(difference / a.data.length).toBeLessThan(8)
}

/** Returns an export with the positions of bookmarks instead of the names of their pictures, which contain ids. */
async function readExport(content: Buffer) {
  const { file, pictures: files } = await readExportZip(content)
  const named = file.bookmarks.map(({ picture: name }) => name ?? null)
  expect([...files.keys()].sort()).toEqual(named.filter((name) => name !== null).sort())
  const bookmarks = file.bookmarks.map((saved, index) => ({ ...saved, picture: saved.picture && index }))
  return {
    file: restored({ ...file, bookmarks } as unknown as TransferFile),
    files: named.map((name) => files.get(name ?? '')),
  }
}

test('an export with pictures imported into an empty account is exported identically, with the same pictures', {
  tags: ['heavy'],
  timeout: 300_000,
}, async () => {
  let users = 0
  let compared = 0
  await fc.assert(
    fc.asyncProperty(library, pictures, async (file, chosen) => {
      users += 1
      const [first, second] = [await signUp(site, `third${users}`), await signUp(site, `fourth${users}`)]
      const importZip = async (user: typeof first, content: Buffer) => {
        const { id } = await uploadFile(site, user, content)
        expect(await startAndFinish(site, user, id)).toMatchObject({ state: 'done', failed: 0, problems: [] })
        return (await requestExport(site, user, { pictures: true })).content
      }
      const exported = await importZip(first, await writeZip(file, chosen))
      const [before, after] = [
        await readExport(exported),
        await readExport(await importZip(second, exported)),
      ]
      expect(after.file).toEqual(before.file)
      for (const [index, expected] of before.files.entries()) {
        if (expected === undefined) continue
        await expectSamePicture(after.files[index] ?? Buffer.alloc(0), expected)
        compared += 1
      }
    }),
    { numRuns: 6 },
  )
  // A library can have few bookmarks.
  expect(compared).toBeGreaterThan(0)
})
