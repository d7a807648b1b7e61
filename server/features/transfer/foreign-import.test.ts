import type { ImportOptions } from '@reelmark/contract/imports.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { expect, test } from 'vitest'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'
import { toolFiles } from './formats/tool-files.fixture.ts'
import { createZip } from './formats/zip.fixture.ts'
import { emptyFile, exportAccount, sampleBookmark, startAndFinish } from './full-account.fixture.ts'

const { site } = await useSite({ work: true })

const upload = (content: string | Buffer, user: TestUser, headers: Record<string, string> = {}) =>
  site.app.inject({
    method: 'POST',
    url: '/api/transfer/imports/',
    headers: {
      authorization: `Bearer ${user.access}`,
      'content-type': 'application/octet-stream',
      ...headers,
    },
    payload: content,
  })

/** Uploads a file, starts its import and waits until it is finished. */
async function importAnyFile(content: string | Buffer, user: TestUser, options: ImportOptions = {}) {
  const reply = await upload(content, user)
  expect(reply.statusCode, reply.body).toBe(201)
  return startAndFinish(site, user, reply.json().id, { plain_links: true, ...options })
}

const findTool = (tool: string) => toolFiles.find((file) => file.tool === tool)?.content ?? ''

test('folders of a bookmark file become collections and channels, with dates, tags, notes and private marks', async () => {
  const alice = await signUp(site, 'alice-foreign')
  const page = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
    <DT><H3>Films</H3><DL><p>
      <DT><A HREF="https://films.example.org/1" ADD_DATE="1700000000" PRIVATE="0" TAGS="a,b">One</A>
      <DD>Text[linkding-notes]Remember[/linkding-notes]
      <DT><H3>Short</H3><DL><p><DT><H3>Old</H3><DL><p>
        <DT><A HREF="https://films.example.org/2" PRIVATE="0">Two</A>
      </DL><p></DL><p>
    </DL><p>
    <DT><H3>Mixed</H3><DL><p>
      <DT><A HREF="https://films.example.org/3" PRIVATE="0">Three</A>
      <DT><A HREF="https://films.example.org/4" PRIVATE="1">Four</A>
    </DL><p>
    <DT><A HREF="https://films.example.org/5" TOREAD="1">Five</A>
    <DT><A HREF="https://www.films.example.org/6">https://www.films.example.org/6</A>
    <DT><A HREF="https://films.example.org/1" PRIVATE="0">One again</A>
    <DT><A HREF="javascript:alert(1)">Script</A>
  </DL>`
  const result = await importAnyFile(page, alice)
  expect(result).toMatchObject({ state: 'done', added: 7, duplicates: 0, failed: 1 })
  expect(result.problems).toEqual([{ what: 'Script', why: "Its link isn't the address of a web page." }])

  const { collections, bookmarks } = await exportAccount(site, alice)
  const described = bookmarks.map(({ collection, channel, title, access }) => {
    const found = collections[collection]
    return [
      found?.name,
      found?.access,
      channel === null ? null : found?.channels[channel]?.name,
      title,
      access,
    ]
  })
  expect(described.sort((a, b) => (String(a[3]) < String(b[3]) ? -1 : 1))).toEqual([
    ['Watch Later', 'private', null, 'Five', 'private'],
    ['Mixed', 'private', null, 'Four', 'private'],
    ['Films', 'public', null, 'One', 'public'],
    ['Imported (Bookmarks)', 'private', null, 'One again', 'public'],
    ['Mixed', 'private', null, 'Three', 'public'],
    ['Films', 'public', 'Short / Old', 'Two', 'public'],
    ['Imported (Bookmarks)', 'private', null, 'films.example.org/6', 'private'],
  ])
  expect(collections.filter(({ is_watch_later }) => is_watch_later).map(({ name }) => name)).toEqual([
    'Watch Later',
  ])
  expect(bookmarks.find(({ title }) => title === 'One')).toMatchObject({
    description: 'Text',
    private_note: 'Remember',
    tags: ['a', 'b'],
    created_at: expect.stringMatching(/^2023-11-14T22:13:20/),
  })

  expect(await importAnyFile(page, alice)).toMatchObject({ state: 'done', added: 0, duplicates: 7 })
})

test.each([
  // Later savers, such as the second user here, would see the like of a video that the user saved privately.
  ['private', 0, ['Likes are public, and this video is only saved privately.']],
  ['public', 1, []],
] as const)(
  'likes of a zip file are saved, and liked if they are %s; history and subscriptions are counted as left out',
  async (access, liked, reasons) => {
    const bob = await signUp(site, `bob-${access}`)
    const result = await importAnyFile(
      createZip([
        { name: 'tiktok.json', content: findTool('TikTok (Activity)') },
        { name: 'x.bin', content: 'x' },
      ]),
      bob,
      { access },
    )
    expect(result).toMatchObject({
      state: 'done',
      added: 2 + liked,
      outcomes: { skipped: 1 + reasons.length, rejected: 0 },
    })
    expect(result.problems.map(({ why }) => why)).toEqual(
      expect.arrayContaining(['You chose not to import watched videos.', ...reasons]),
    )
    const { collections, bookmarks, likes } = await exportAccount(site, bob)
    expect(bookmarks.map(({ collection }) => collections[collection]?.name).sort()).toEqual([
      'Liked (TikTok)',
      'TikTok favorites',
    ])
    expect(likes).toHaveLength(liked)
  },
)

test('an export of Reelmark that is sent as bytes is imported like one sent as JSON', async () => {
  const carol = await signUp(site, 'carol-foreign')
  const file = { ...emptyFile, bookmarks: [sampleBookmark('https://films.example.org/7')] }
  expect(await importAnyFile(JSON.stringify(file), carol)).toMatchObject({ state: 'done', added: 1 })
  const broken = await upload(JSON.stringify({ ...file, likes: [3] }), carol)
  expect(broken.statusCode).toBe(400)
  expect(broken.json()).toMatchObject({ code: 'invalid', likes: { 0: expect.any(Array) } })
})

test.each([
  ['', 'The file is empty.'],
  ['some text', "We don't know this kind of file."],
  ['[{"href":"https://vimeo.com/1","description":"A"},', "The file isn't valid JSON, or it is incomplete."],
  [createZip([{ name: '../a.json', content: '[]' }]), 'The zip file is damaged.'],
  [
    Array.from({ length: limits.collectionsMax + 1 }, (_, n) => `x;https://vimeo.com/${n};f${n}`).reduce(
      (text, row) => `${text}${row}\n`,
      'title;url;folder\n',
    ),
    'The file has more than 1,000 folders.',
  ],
])(
  'a file that cannot be read is refused with the reason, and nothing is stored (%#)',
  async (content, detail) => {
    const users = await site.db<{ count: number }[]>`select count(*) from users`
    const dave = await signUp(site, `dave-foreign-${users[0]?.count}`)
    const reply = await upload(content, dave)
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toEqual({ code: 'malformed-body', detail })
    expect(await site.db`select from imports where user_id = ${dave.id}`).toHaveLength(0)
  },
)

test('a file beyond the limit is refused by its announced and by its real size', async () => {
  const erin = await signUp(site, 'erin-foreign')
  const announced = await upload('x', erin, { 'content-length': String(limits.importMax + 1) })
  expect(announced.statusCode).toBe(413)
  expect(announced.json().detail).toBe('The file is larger than 128 MB.')
})
