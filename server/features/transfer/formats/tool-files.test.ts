import { describe, expect, test } from 'vitest'
import { filledFields, readUpload } from './read-upload.fixture.ts'
import { toolFiles } from './tool-files.fixture.ts'
import { createZip } from './zip.fixture.ts'

describe.each(toolFiles)('a file of $tool', ({ format, label, content, items, rejected = [] }) => {
  test('is recognised by its content and read with everything that it contains', async () => {
    const upload = await readUpload(content)
    expect(upload.detected).toMatchObject({ format, label })
    expect(upload.items.map(filledFields)).toEqual(items.map((item) => expect.objectContaining(item)))
    expect(upload.items.map((item) => Object.keys(filledFields(item)).sort())).toEqual(
      items.map((item) => Object.keys(item).sort()),
    )
    expect(upload.rejected.map(({ reason }) => reason)).toEqual(rejected)
  })

  test.each([
    ['Windows line ends', (text: string) => Buffer.from(text.replace(/\r?\n/g, '\r\n'))],
    ['a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['big-endian UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('is read with %s too', async (_name, convert) => {
    const upload = await readUpload(convert(content))
    expect(upload.detected).toMatchObject({ format })
    expect(upload.items.map(({ url }) => url)).toEqual(items.map(({ url }) => url))
    expect(upload.items.map(({ title }) => title)).toEqual(items.map(({ title = '' }) => title))
  })
})

test('rows are numbered in the order of the file, with those that are not usable', async () => {
  const { items, rejected } = await readUpload('https://vimeo.com/1\n\nnothing\nhttps://vimeo.com/2\n')
  expect(items.map(({ file, row }) => ({ file, row }))).toEqual([
    { file: null, row: 1 },
    { file: null, row: 3 },
  ])
  expect(rejected).toEqual([
    { file: null, row: 2, what: 'nothing', reason: "Its link isn't the address of a web page." },
  ])
})

test('the columns of a table can be assigned by the user', async () => {
  const content = 'A,B,C\nhttps://vimeo.com/1,https://vimeo.com/2,Title\n'
  const guessed = await readUpload(content)
  expect(guessed.detected).toMatchObject({
    format: 'csv',
    columns: {
      headers: ['A', 'B', 'C'],
      mapping: { url: 0 },
      sample: [['https://vimeo.com/1', 'https://vimeo.com/2', 'Title']],
    },
  })
  expect(guessed.items.map(({ url }) => url)).toEqual(['https://vimeo.com/1'])
  const corrected = await readUpload(content, { mapping: { url: 1, title: 2 } })
  expect(corrected.items.map(({ url, title }) => [url, title])).toEqual([['https://vimeo.com/2', 'Title']])
})

test('a table without a header is read from its first row', async () => {
  const { detected, items } = await readUpload('Title 1\thttps://vimeo.com/1\nTitle 2\thttps://vimeo.com/2\n')
  expect(detected).toMatchObject({ format: 'csv', columns: { headers: [], mapping: { url: 1 } } })
  expect(items.map(({ url }) => url)).toEqual(['https://vimeo.com/1', 'https://vimeo.com/2'])
})

test('an export of Reelmark is recognised, and left to its own importer', async () => {
  const { detected } = await readUpload('{"format":"reelmark","version":1,"bookmarks":[]}')
  expect(detected).toEqual({ format: 'reelmark', label: 'Reelmark', entry: null, ignored: 0 })
})

test('a page with links, such as a saved web page, is read as a list of them', async () => {
  const { detected, items } = await readUpload(
    '<html><body><p>See <a href="https://vimeo.com/1">one</a>, <a name="x">no link</a></p></body></html>',
  )
  expect(detected).toMatchObject({ format: 'link-page' })
  expect(items.map(({ url, title }) => [url, title])).toEqual([['https://vimeo.com/1', 'one']])
})

test('the zip file of an Omnivore export is read without the pages and notes in it', async () => {
  const { content } = toolFiles.find(({ tool }) => tool === 'Omnivore') ?? { content: '' }
  const { detected, items } = await readUpload(
    createZip([
      { name: 'metadata_0_to_20.json', content },
      { name: 'metadata_20_to_40.json', content: content.replace('/25', '/26') },
      { name: 'content/title-18a.html', content: '<p><a href="https://vimeo.com/99">x</a></p>' },
      { name: 'highlights/title-18a.md', content: '> text' },
    ]),
  )
  expect(detected).toMatchObject({ format: 'zip', label: 'Omnivore', ignored: 2 })
  expect(items.map(({ file, row, url }) => [file, row, url])).toEqual([
    ['metadata_0_to_20.json', 1, 'https://vimeo.com/25'],
    ['metadata_20_to_40.json', 1, 'https://vimeo.com/26'],
  ])
})

test('the zip file of a Reddit export is read without hidden posts and votes', async () => {
  const list = (id: string) => `id,permalink\n${id},https://www.reddit.com/r/videos/comments/${id}/\n`
  const { detected, items } = await readUpload(
    createZip([
      { name: 'hidden_posts.csv', content: list('a') },
      { name: 'post_votes.csv', content: `id,permalink,direction\nb,https://www.reddit.com/b,up\n` },
      { name: 'saved_posts.csv', content: list('c') },
      { name: 'saved_comments.csv', content: list('d') },
    ]),
  )
  expect(detected).toMatchObject({ format: 'zip', label: 'Reddit saved posts', ignored: 2 })
  expect(items.map(({ url }) => url)).toEqual([
    'https://www.reddit.com/r/videos/comments/c/',
    'https://www.reddit.com/r/videos/comments/d/',
  ])
})

test('a zip file with one file of any kind is read like that file', async () => {
  const { detected, items } = await readUpload(
    createZip([{ name: 'x/links.txt', content: 'https://vimeo.com/1' }]),
  )
  expect(detected).toMatchObject({ format: 'zip', label: 'List of links', ignored: 0 })
  expect(items.map(({ file, url }) => [file, url])).toEqual([['x/links.txt', 'https://vimeo.com/1']])
})
