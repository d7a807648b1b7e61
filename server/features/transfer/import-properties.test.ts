/** The summary of a file predicts what its import does with each item, the report adds up, and the undo restores the account. */
import { getImport, type ImportOptions, type ImportRow, undoImport } from '@reelmark/contract/imports.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { useEmptySite } from '../../testing/use-site.ts'
import { createZip } from './formats/zip.fixture.ts'
import {
  emptyFile,
  exportAccount,
  importFile,
  readReport,
  sampleBookmark,
  startAndFinish,
  waitUntilFinished,
} from './full-account.fixture.ts'
import { uploadFile } from './upload-file.fixture.ts'

const site = await useEmptySite({ work: true })

/** A link of the file, and which video it leads to; null: no video of a known site. */
interface Link {
  href: string
  video: string | null
  state: 'video' | 'plain' | 'rejected'
}
interface SavedLink extends Link {
  folders: string[]
  tags: string[]
  date: number | null
  is_private: boolean | null
  is_watch_later: boolean
}

const video = fc
  .integer({ min: 1, max: 9 })
  .chain((n) =>
    fc
      .constantFrom(
        `https://vimeo.com/${n}00`,
        `http://www.vimeo.com/${n}00`,
        `https://player.vimeo.com/video/${n}00`,
      )
      .map((href): Link => ({ href, video: `https://vimeo.com/${n}00`, state: 'video' })),
  )
const plain = fc.integer({ min: 1, max: 4 }).map((n): Link => {
  const href = `https://pages.example.org/${n}`
  return { href, video: href, state: 'plain' }
})
const unusable = fc
  .constantFrom('javascript:alert(1)', 'place:type=6', `https://films.example.org/${'x'.repeat(9000)}`, '')
  .map((href): Link => ({ href, video: null, state: 'rejected' }))

/** One of them is the name of the empty collection of a new account. */
const folder = fc.constantFrom('My Vault', 'Films', 'Ünïcode 🎬', '=1+1')
const savedLink: fc.Arbitrary<SavedLink> = fc
  .tuple(
    fc.oneof({ arbitrary: video, weight: 4 }, plain, unusable),
    fc.record({
      folders: fc.array(folder, { maxLength: 3 }),
      tags: fc.uniqueArray(fc.constantFrom('sea', 'two words', 'ünïcode', '=tag'), { maxLength: 3 }),
      date: fc.option(fc.integer({ min: 1_600_000_000, max: 1_600_000_009 })),
      is_private: fc.option(fc.boolean()),
      is_watch_later: fc.constantFrom(false, false, false, true),
    }),
  )
  .map(([link, fields]) => ({ ...link, ...fields }))

const library = fc.record({
  links: fc.array(savedLink, { minLength: 1, maxLength: 30 }),
  /** Numbers of YouTube videos. */
  watched: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 6 }),
  subscriptions: fc.integer({ min: 0, max: 2 }),
  /** What the user has already: numbers of videos, in a public and in a private collection with the name of a folder. */
  known: fc.record({
    public: fc.uniqueArray(fc.integer({ min: 1, max: 9 })),
    private: fc.uniqueArray(fc.integer({ min: 1, max: 9 })),
  }),
  options: fc.record({
    plain_links: fc.boolean(),
    folders: fc.boolean(),
    access: fc.constantFrom('public' as const, 'private' as const),
    history: fc.boolean(),
  }),
})
type Library = typeof library extends fc.Arbitrary<infer T> ? T : never

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Writes each link in folders of its own, so that its folders are those of this link. */
function writePage(links: readonly SavedLink[]): string {
  const items = links.map(({ href, folders, tags, date, is_private, is_watch_later }, index) => {
    const attributes = [
      `HREF="${escapeHtml(href)}"`,
      ...(date === null ? [] : [`ADD_DATE="${date}"`]),
      ...(is_private === null ? [] : [`PRIVATE="${is_private ? 1 : 0}"`]),
      ...(is_watch_later ? ['TOREAD="1"'] : []),
      `TAGS="${escapeHtml(tags.join(','))}"`,
    ]
    const link = `<DT><A ${attributes.join(' ')}>Link ${index + 1}</A>\n`
    return folders.reduceRight(
      (inner, name) => `<DT><H3>${escapeHtml(name)}</H3><DL><p>${inner}</DL><p>\n`,
      link,
    )
  })
  return `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>\n${items.join('')}</DL>`
}

const youtubeLink = (n: number) => `https://www.youtube.com/watch?v=abcdefghi-${n}`

function writeArchive({ links, watched, subscriptions }: Library): Buffer {
  const history = watched.map((n, index) => ({
    header: 'YouTube',
    title: `Watched Film ${n}`,
    titleUrl: youtubeLink(n),
    time: `2021-02-0${index + 1}T03:04:05.678Z`,
  }))
  const channels = Array.from({ length: subscriptions }, (_, n) => {
    const id = `UCBR8-60-B28hp2BmDPdntc${n}`
    return `${id},http://www.youtube.com/channel/${id},Channel ${n}\n`
  })
  return createZip([
    ...(history.length > 0 ? [{ name: 'history/watch-history.json', content: JSON.stringify(history) }] : []),
    ...(channels.length > 0
      ? [{ name: 'subscriptions.csv', content: `Channel Id,Channel Url,Channel Title\n${channels.join('')}` }]
      : []),
    { name: 'bookmarks.html', content: writePage(links) },
  ])
}

const isUsable = ({ state }: Link) => state !== 'rejected'
const isImported = (link: Link, { plain_links }: ImportOptions) =>
  link.state === 'video' || (link.state === 'plain' && plain_links === true)

/** Returns what the user must see before the import. */
function expectedSummary({ links, watched, subscriptions, known }: Library) {
  const usable = links.filter(isUsable)
  const count = (matches: (link: SavedLink) => boolean) => usable.filter(matches).length
  const knownVideos = new Set([...known.public, ...known.private].map((n) => `https://vimeo.com/${n}00`))
  return {
    rows: links.length + watched.length + subscriptions,
    videos: count(({ state }) => state === 'video'),
    plain_links: count(({ state }) => state === 'plain'),
    rejected: links.length - usable.length,
    history: watched.length,
    subscriptions,
    in_vault: count(({ video }) => video !== null && knownVideos.has(video)),
    with_date: count(({ date }) => date !== null),
    with_tags: count(({ tags }) => tags.length > 0),
    private: count(({ is_private }) => is_private === true),
    access_unknown: count(({ is_private }) => is_private === null),
    tags: new Set(usable.flatMap(({ tags }) => tags)).size,
  }
}

const importedOutcomes = ['new', 'changed', 'held']

function checkReport({ links, watched, subscriptions, options }: Library, rows: readonly ImportRow[]): void {
  const ofFile = (file: string) => rows.filter((row) => row.file === file)
  for (const [index, link] of links.entries()) {
    const found = ofFile('bookmarks.html').filter(({ row }) => row === index + 1)
    // One entry per item, in every case.
    expect(found.map(({ kind }) => kind)).toEqual(['bookmark'])
    const outcomes = isImported(link, options) ? ['new', 'known'] : [isUsable(link) ? 'skipped' : 'rejected']
    expect(outcomes).toContain(found[0]?.outcome)
  }
  for (const [index, n] of watched.entries()) {
    const found = ofFile('history/watch-history.json').filter(({ row }) => row === index + 1)
    const isFirst = watched.indexOf(n) === index
    const outcome = !options.history ? 'skipped' : isFirst ? 'new' : 'known'
    expect(found.filter(({ kind }) => kind === 'history')).toMatchObject([{ outcome }])
    // Nobody saved these videos, so that each is saved once.
    const saved = options.history && isFirst ? [{ kind: 'bookmark', outcome: 'new' }] : []
    expect(found.filter(({ kind }) => kind !== 'history')).toMatchObject(saved)
  }
  expect(ofFile('subscriptions.csv').map(({ outcome }) => outcome)).toEqual(
    Array.from({ length: subscriptions }, () => 'skipped'),
  )
}

/** Returns each video that must be saved now, with the name of its collection, at most once each. */
function expectedBookmarks({ links, watched, options }: Library, format: string): string[] {
  const unnamed = `Imported (${format})`
  const saved = links
    .filter((link) => isImported(link, options))
    .map((link) => {
      const collection = link.is_watch_later
        ? 'Watch Later'
        : options.folders
          ? (link.folders[0] ?? unnamed)
          : unnamed
      const channel =
        link.is_watch_later || !options.folders || link.folders.length < 2
          ? null
          : link.folders.slice(1).join(' / ')
      return JSON.stringify([collection, channel, link.video])
    })
  const history = options.history
    ? watched.map((n) => JSON.stringify(['Watch history', null, youtubeLink(n)]))
    : []
  return [...new Set([...saved, ...history])].sort()
}

/** Returns where the bookmarks of an account are. */
function locationsOf({ collections, bookmarks }: TransferFile): string[] {
  return bookmarks.map(({ collection, channel, video }) => {
    const { name, channels } = collections[collection] ?? { name: '', channels: [] }
    return JSON.stringify([name, channel === null ? null : channels[channel]?.name, video.source_url])
  })
}

const knownCollection = (access: 'public' | 'private') => ({
  name: 'Films',
  description: '',
  access,
  created_at: '2020-01-01T00:00:00.123456Z',
  channels: [],
})

test('a summary predicts what the import does with each item, its report adds up, and the undo restores the account', {
  tags: ['heavy'],
}, async () => {
  let users = 0
  await fc.assert(
    fc.asyncProperty(library, async (content) => {
      users += 1
      const user = await signUp(site, `user${users}`)
      const { known, options } = content
      await importFile(site, user, {
        ...emptyFile,
        collections: [...emptyFile.collections, knownCollection('public'), knownCollection('private')],
        bookmarks: (['public', 'private'] as const).flatMap((access, index) =>
          known[access].map((n) =>
            sampleBookmark(`https://vimeo.com/${n}00`, { collection: index + 1, channel: null, access }),
          ),
        ),
      })
      const before = await exportAccount(site, user)

      const { id, summary, format } = await uploadFile(site, user, writeArchive(content))
      expect(summary).toMatchObject(expectedSummary(content))
      const result = await startAndFinish(site, user, id, options)
      expect(result).toMatchObject({ state: 'done', done: result.total })
      const rows = await readReport(site, user, id)
      checkReport(content, rows)

      // The numbers of the report, and those of the page that starts the import.
      const outcomes = Object.values(result.outcomes)
      expect(outcomes.reduce((sum, count) => sum + count, 0)).toBe(rows.length)
      const selected = new Set(
        rows
          .filter(({ file, outcome }) => file !== null && !['skipped', 'rejected'].includes(outcome))
          .map(({ file, row }) => `${file} ${row}`),
      )
      const { videos = 0, plain_links = 0, history = 0 } = summary ?? {}
      expect(selected.size).toBe(
        videos + (options.plain_links ? plain_links : 0) + (options.history ? history : 0),
      )
      const isNew = ({ outcome }: ImportRow) => importedOutcomes.includes(outcome)
      expect(rows.filter((row) => row.kind === 'bookmark' && isNew(row))).toHaveLength(result.imported_videos)
      if (options.folders) {
        const predicted = (summary?.collections ?? []).filter(
          (collection) => collection.videos > 0 || (options.plain_links && collection.plain_links > 0),
        )
        const reported = rows.filter(({ kind, what }) => kind === 'collection' && what !== 'Watch history')
        expect(reported.map(({ what }) => what).sort()).toEqual(predicted.map(({ name }) => name).sort())
      }

      const now = locationsOf(await exportAccount(site, user))
      expect(now.length - locationsOf(before).length).toBe(result.imported_videos)
      for (const expected of expectedBookmarks(content, format)) expect(now).toContain(expected)

      if (result.can_undo) await undo(user, id)
      const { trash, ...restored } = await exportAccount(site, user)
      expect(trash).toHaveLength(result.imported_videos)
      expect({ ...restored, trash: [], exported_at: '' }).toEqual({ ...before, exported_at: '' })
    }),
    { numRuns: 15, endOnFailure: true },
  )
})

async function undo(user: TestUser, id: number): Promise<void> {
  await site.call(undoImport, { params: { id } }, user)
  const undone = await waitUntilFinished(() => site.call(getImport, { params: { id } }, user))
  expect(undone).toMatchObject({ state: 'undone', outcomes: { new: 0, changed: 0, held: 0, retained: 0 } })
  expect(undone.done).toBe(undone.total)
  const rows = await readReport(site, user, id, 'undone')
  expect(rows).toHaveLength(undone.outcomes.undone)
}
