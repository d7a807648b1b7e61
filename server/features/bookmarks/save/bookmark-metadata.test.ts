import { createHash } from 'node:crypto'
import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { bookmarkQueues } from '../jobs.ts'

const { site, alice, bob } = await useSite({ settings: { publicUrl: 'https://reelmark.example' } })
let carol: TestUser

beforeAll(async () => {
  carol = await signUp(site, 'carol')
})

const read = (id: number, viewer: TestUser | null = null) =>
  site.call(getBookmark, { params: { id } }, viewer)

describe('what a user enters', () => {
  const sent = (name: string) => ({
    title: `Title of ${name}`,
    description: `Description of ${name}`,
    tags: [`tag-${name}`],
    orientation: 'bi' as const,
    embed_url: `https://player.example.org/${name}`,
    thumbnail_url: `https://films.example.org/${name}.jpg`,
    shape: 'portrait' as const,
    duration: name.length,
    width: 90,
    height: 160,
  })
  const shown = (name: string) => {
    const { tags, thumbnail_url: _, ...rest } = sent(name)
    return { ...rest, tags: tags.map((tag) => expect.objectContaining({ name: tag })) }
  }
  const inPrivate = async (user: TestUser) => ({
    ...(await inVault(user)),
    access: 'private' as const,
  })

  test.each([
    ['public', 'public'],
    ['private', 'public'],
    ['public', 'private'],
    ['private', 'private'],
  ] as const)(
    'is shown with their own bookmark only: a %s one first, then a %s one',
    async (firstAccess, secondAccess) => {
      const film = `own ${firstAccess} ${secondAccess}`
      const first = await saveFilm(site, alice, film, {
        video: sent('alice'),
        bookmark: { ...(await inVault(alice)), access: firstAccess },
      })
      const second = await saveFilm(site, bob, film, {
        video: sent('bob'),
        bookmark: { ...(await inVault(bob)), access: secondAccess },
      })
      expect(second.video.id).toBe(first.video.id)
      expect((await read(first.id, alice)).video).toMatchObject(shown('alice'))
      expect(second.video).toMatchObject(shown('bob'))
      expect(second).toMatchObject({ title: 'Title of bob', description: 'Description of bob' })
      expect(JSON.stringify(second)).not.toMatch(/alice/)
      const [video] = await site.db`
      select embed_url, thumbnail_source_url, shape, duration, width, height from videos where id = ${first.video.id}`
      expect(Object.values(video ?? {})).toEqual([null, null, null, null, null, null])
    },
  )

  test('cannot be found by others while their bookmark is private', async () => {
    await saveFilm(site, alice, 'p2', { video: { title: 'Wombat' }, bookmark: await inPrivate(alice) })
    const open = await saveFilm(site, bob, 'p2', { video: { title: 'Open' } })
    expect((await site.call(listVideos, { query: { q: 'wombat' } })).count).toBe(0)
    expect((await read(open.id)).video.title).toBe('Open')
  })

  test('is completed by what the server determined, for fields that they leave out', async () => {
    const first = await saveFilm(site, alice, 'p3')
    await site.db`
      update videos set embed_url = 'https://player.example.org/found', shape = 'square', duration = 7, width = 5, height = 5,
             thumbnail_key = 's', thumbnail_large_key = 'l' where id = ${first.video.id}`
    const found = {
      embed_url: 'https://player.example.org/found',
      shape: 'square',
      duration: 7,
      width: 5,
      height: 5,
      thumbnail_url: '/media/s',
    }
    expect((await read(first.id)).video).toMatchObject(found)
    const second = await saveFilm(site, bob, 'p3', { video: { duration: 9, embed_url: found.embed_url } })
    expect(second.video).toMatchObject({ ...found, duration: 9 })
    // A value equal to the video's is not stored a second time.
    const [own] = await site.db`select embed_url, duration from bookmarks where id = ${second.id}`
    expect(own).toEqual({ embed_url: null, duration: 9 })
    const cleared = await site.call(
      updateBookmark,
      { params: { id: second.id }, body: { duration: null } },
      bob,
    )
    expect(cleared.video.duration).toBe(7)
  })

  test('can be changed later, each field separately', async () => {
    const saved = await saveFilm(site, alice, 'p4', { video: sent('before') })
    const { video, ...changed } = await site.call(
      updateBookmark,
      {
        params: { id: saved.id },
        body: { orientation: 'trans', duration: 5, embed_url: 'https://player.example.org/after' },
      },
      alice,
    )
    expect(video).toMatchObject({
      ...shown('before'),
      orientation: 'trans',
      duration: 5,
      embed_url: 'https://player.example.org/after',
    })
    expect(changed.title).toBe('Title of before')
    const blank = site.call(updateBookmark, { params: { id: saved.id }, body: { title: '' } }, alice)
    expect((await failedReply(blank)).status).toBe(400)
  })

  test('as a new thumbnail link replaces the stored thumbnail', async () => {
    const { id } = await saveFilm(site, alice, 'p5', { video: sent('before') })
    await site.db`
      update bookmarks set thumbnail_key = 's', thumbnail_large_key = 'l', thumbnail_state = 'ready' where id = ${id}`
    const change = (thumbnail_url: string) =>
      site.call(updateBookmark, { params: { id }, body: { thumbnail_url } }, alice)
    expect((await change('https://films.example.org/before.jpg')).video.thumbnail_url).toBe('/media/s')
    expect((await change('https://films.example.org/after.jpg')).video.thumbnail_url).toBe(null)
    expect((await change('')).video.thumbnail_url).toBe(null)
    const [row] =
      await site.db`select thumbnail_state, thumbnail_source_url as link from bookmarks where id = ${id}`
    expect(row).toEqual({ thumbnail_state: 'none', link: null })
  })
})

describe('what the server extracted', () => {
  const found = {
    embed_url: 'https://player.example.org/extracted',
    thumbnail_source_url: 'https://films.example.org/extracted.jpg',
    shape: 'landscape',
    duration: 61,
    width: 640,
    height: 360,
  }
  const extract = (user: TestUser, film: string) => site.db`
    insert into extractions ${site.db({ ...found, user_id: user.id, canonical_hash: canonicalHash(film) })}`
  const { thumbnail_source_url: thumbnail_url, ...facts } = found
  const video = { ...facts, shape: 'landscape' as const, thumbnail_url }
  const storedFacts = async (table: 'videos' | 'bookmarks', id: number) => {
    const columns = Object.keys(found).join(', ')
    return (await site.db.unsafe(`select ${columns} from ${table} where id = ${id}`))[0]
  }
  const nothing = Object.fromEntries(Object.keys(found).map((name) => [name, null]))

  test('is stored with the video once it is saved publicly', async () => {
    await extract(alice, 'x1')
    const saved = await saveFilm(site, alice, 'x1', { video })
    expect(await storedFacts('videos', saved.video.id)).toEqual(found)
    expect(await storedFacts('bookmarks', saved.id)).toEqual(nothing)
    const other = await saveFilm(site, bob, 'x1')
    expect(other.video).toMatchObject(facts)
  })

  test('is stored with the bookmark while it is saved privately', async () => {
    await extract(alice, 'x2')
    const bookmark = { ...(await inVault(alice)), access: 'private' as const }
    const saved = await saveFilm(site, alice, 'x2', { video, bookmark })
    expect(await storedFacts('videos', saved.video.id)).toEqual(nothing)
    expect(await storedFacts('bookmarks', saved.id)).toEqual(found)
    const other = await saveFilm(site, bob, 'x2')
    expect(other.video).toMatchObject({ embed_url: null, duration: null })
  })

  test('does not replace what the video has, and counts only for the user for whom it was extracted', async () => {
    await extract(alice, 'x3')
    await saveFilm(site, bob, 'x3')
    const own = await saveFilm(site, alice, 'x3', { video: { ...video, duration: 99 } })
    const { video: stored } = own
    // Alice's own duration differs from the extracted one.
    expect(await storedFacts('bookmarks', own.id)).toEqual({ ...nothing, duration: 99 })
    expect(await storedFacts('videos', stored.id)).toEqual({ ...found, duration: null })
    // Carol has no extraction, but most of what she sends is the video's already.
    const carols = await saveFilm(site, carol, 'x3', { video: { ...video, width: 1 } })
    expect(await storedFacts('bookmarks', carols.id)).toEqual({ ...nothing, duration: 61, width: 1 })
  })

  test('is ignored and deleted after an hour', async () => {
    await extract(alice, 'x4')
    await site.db`update extractions set created_at = now() - interval '61 minutes'`
    const saved = await saveFilm(site, alice, 'x4', { video })
    expect(await storedFacts('videos', saved.video.id)).toEqual(nothing)
    expect(await storedFacts('bookmarks', saved.id)).toEqual(found)
    const job = bookmarkQueues(site.app.deps).find(({ name }) => name === 'remove-old-extractions')
    await job?.work({})
    expect(await site.db`select from extractions`).toHaveLength(0)
  })

  const canonicalHash = (film: string) =>
    createHash('sha256').update(`https://films.example.org/watch/${film}`).digest()
})

async function inVault(user: TestUser) {
  return { channel_id: (await vaultDestination(site, user)).channel_id }
}
