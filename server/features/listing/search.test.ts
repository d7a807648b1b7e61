import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCorpus } from '../../testing/corpora.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'

let site: TestApp
let ines: TestUser
let tom: TestUser

beforeAll(async () => {
  site = await bootApp()
  ines = await signUp(site, 'ines')
  tom = await signUp(site, 'tom_tomson')
  const save = (owner: TestUser, host: string, title: string, description: string, tags: string[]) =>
    saveFilm(site, owner, title, {
      video: { source_url: `https://${host}/v/${encodeURIComponent(title)}`, title, description, tags },
    })
  await save(ines, 'films.example.org', 'Café society', 'Jazz in Zürich', ['music', 'night life'])
  await save(ines, 'm.tube.example.net', 'The and/or paradox', "Don't panic: Vol.2", ['logic'])
  await save(tom, 'films.example.org', 'Blender basics', 'How to begin', ['tutorial', 'blender'])
  await save(tom, 'www.tube.example.net', 'Blander food', 'Soup without salt', ['cooking'])
  await save(tom, 'films.example.org', 'Cooking with blenders', 'Loud soup', ['cooking', 'music'])
})
afterAll(() => site.close())

const titles = async (q: string) =>
  (await site.call(listVideos, { query: { q } })).results.map(({ title }) => title)

describe('a search finds videos that match all of its terms', () => {
  test.each([
    ['in the title', 'paradox', ['The and/or paradox']],
    ['in the description', 'panic', ['The and/or paradox']],
    ['in the tags', 'tutorial', ['Blender basics']],
    ['in the owner’s name', 'ines society', ['Café society']],
    ['in the host', 'tube soup', ['Blander food']],
    ['across several fields', 'loud cooking tomson films', ['Cooking with blenders']],
    ['in any case', 'BLENDER BASICS', ['Blender basics']],
    ['without accents', 'cafe zurich', ['Café society']],
    ['with accents that the text does not have', 'blénder básics', ['Blender basics']],
    ['next to punctuation', 'or', ['The and/or paradox']],
    ['without apostrophes', 'dont vol 2', ['The and/or paradox']],
    ['with apostrophes and punctuation', "don't Vol.2", ['The and/or paradox']],
    ['as a phrase', '"without salt"', ['Blander food']],
    ['but not a phrase in another order', '"salt without"', []],
    ['except those with a negated word', 'soup -loud', ['Blander food']],
    ['by tag', 'tag:music', ['Cooking with blenders', 'Café society']],
    ['by a tag of two words', 'tag:"night life"', ['Café society']],
    ['but not by part of a tag', 'tag:night', []],
    ['by user', 'user:INES', ['The and/or paradox', 'Café society']],
    ['by site', 'site:tube.example.net', ['Blander food', 'The and/or paradox']],
    ['by subdomain', 'site:m.tube.example.net', ['The and/or paradox']],
    ['by parent domain', 'site:example.net', ['Blander food', 'The and/or paradox']],
    ['but not if one of the words matches nothing', 'blender zebra', []],
    ['with nothing but negated words', '-soup -music', ['Blender basics', 'The and/or paradox']],
  ])('%s: %s', async (_name, q, found) => {
    expect(await titles(q)).toEqual(found)
  })
})

describe('a search with a spelling mistake finds similar words', () => {
  test.each([
    ['with a missing letter', 'paradx', ['The and/or paradox']],
    ['with an extra letter', 'sociiety', ['Café society']],
    ['with two letters swapped', 'soceity', ['Café society']],
    ['with only the beginning', 'tutor', ['Blender basics']],
    ['in one of two words', 'blender basisc', ['Blender basics']],
  ])('%s: %s', async (_name, q, found) => {
    expect(await titles(q)).toEqual(found)
  })

  test('similar words rank below exact matches, even if they are newer', async () => {
    const found = await titles('blender')
    expect(found[0]).toBe('Blender basics')
    expect(found.slice(1)).toEqual(['Cooking with blenders', 'Blander food'])
  })

  test('pages of exact and similar matches contain each video once', async () => {
    const first = await site.call(listVideos, { query: { q: 'blender', page_size: 1 } })
    expect(first.count).toBe(3)
    const seen = [first.results[0]?.title]
    for (let next = first.next; next !== null; ) {
      const page = (await site.app.inject(next)).json()
      seen.push(page.results[0]?.title)
      next = page.next
    }
    expect(seen).toEqual(['Blender basics', 'Cooking with blenders', 'Blander food'])
    const third = await site.call(listVideos, { query: { q: 'blender', page_size: 1, page: 3 } })
    expect(third.results[0]?.title).toBe('Blander food')
    // The previous link leads back to the second page.
    const second = (await site.app.inject(third.previous ?? '')).json()
    expect(second.results[0]?.title).toBe('Cooking with blenders')
  })
})

describe('a search in which nothing matches as it is written', () => {
  const search = async (query: ListingQuery) => {
    const { results, corrected } = await site.call(listVideos, { query })
    return { titles: results.map(({ title }) => title), corrected }
  }

  test('names the words that it replaced, and finds nothing if it is literal', async () => {
    expect(await search({ q: 'paradx' })).toEqual({
      titles: ['The and/or paradox'],
      corrected: [{ word: 'paradx', replacements: ['paradox'] }],
    })
    expect(await search({ q: 'paradx', literal: true })).toEqual({ titles: [] })
  })

  test('names only misspelt words, each as it was entered, with the most similar words first', async () => {
    expect((await search({ q: 'Blendre basics tag:tutorial' })).corrected).toEqual([
      { word: 'Blendre', replacements: ['blender', 'blenders'] },
    ])
    expect((await search({ q: 'soceity musicc' })).corrected).toEqual([
      { word: 'soceity', replacements: ['society'] },
      { word: 'musicc', replacements: ['music'] },
    ])
    expect((await search({ q: 'blende' })).corrected).toEqual([
      { word: 'blende', replacements: ['blender', 'blenders'] },
    ])
  })

  test('names no words if something matches, or nothing is similar', async () => {
    expect(await search({ q: 'blender' })).not.toHaveProperty('corrected.0')
    expect(await search({ q: 'zzzzzz' })).toEqual({ titles: [] })
  })
})

describe('a misspelt word next to other terms', () => {
  test.each([
    ['a tag', 'basisc tag:tutorial', ['Blender basics']],
    ['a tag before it', 'tag:tutorial basisc', ['Blender basics']],
    ['a tag that nothing else has', 'basisc tag:cooking', []],
    ['a user', 'user:tom_tomson basisc', ['Blender basics']],
    ['another user', 'user:ines basisc', []],
    ['a site', 'site:films.example.org basisc', ['Blender basics']],
    ['another site', 'site:tube.example.net basisc', []],
    ['a phrase', '"how to begin" basisc', ['Blender basics']],
    ['a phrase that does not occur', '"loud soup" basisc', []],
    ['an exclusion', '-food blander', ['Cooking with blenders', 'Blender basics']],
    ['an exclusion of the similar word', '-basics basisc', []],
  ])('is corrected, and the other terms are taken literally: %s: %s', async (_name, q, found) => {
    expect((await titles(q)).sort()).toEqual([...found].sort())
  })
})

describe('a phrase', () => {
  test.each([
    ['the title and the next field', '"society music"', []],
    ['two tags', '"life music"', []],
    ['two tags in their order', '"music night"', []],
    ['the tags and the owner', '"cooking tom"', []],
    ['the owner and the host', '"tomson films"', []],
    ['the host and the description', '"org jazz"', []],
    ['one field', '"jazz in zürich"', ['Café society']],
    ['one tag', '"night life"', ['Café society']],
    ['the host', '"films example org"', ['Cooking with blenders', 'Blender basics', 'Café society']],
  ])('matches within one field: %s', async (_name, q, found) => {
    expect(await titles(q)).toEqual(found)
  })
})

test('a blank search lists everything', async () => {
  expect(await titles('   ')).toHaveLength(5)
  expect(await titles('""')).toHaveLength(5)
})

const status = async (q: string) => (await site.app.inject({ url: '/api/videos/', query: { q } })).statusCode

describe('unusual searches', () => {
  test('made of random characters never fail', async () => {
    const pieces = [
      'a',
      'tag:',
      'site:',
      '-',
      '"',
      "'",
      '\\',
      ':',
      '&',
      '|',
      '!',
      '(',
      ')',
      '<->',
      '*',
      '%',
      ' ',
      '日',
      '\u0301',
      '🦙',
    ]
    const unusual = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(unusual, async (q) => {
        expect(await status(q)).toBe(200)
      }),
      { numRuns: 60 },
    )
  })

  const naughty = openCorpus('security/naughty')
  const sqli = openCorpus('security/sqli')
  test.skipIf(!naughty.exists || !sqli.exists)(
    'from the corpora of malicious texts never fail',
    { tags: 'heavy' },
    async () => {
      const texts = [
        ...naughty.rows<string>('blns.jsonl'),
        ...naughty.rows<string>('own.jsonl'),
        ...sqli.bytes('sqli.txt').toString('utf8').split('\n'),
      ]
      expect(texts.length).toBeGreaterThan(500)
      const searches = texts
        .flatMap((text) => [text, `tag:"${text}"`, `-user:${text}`])
        // Longer texts, NUL and lone surrogates are refused as in any other field.
        .filter((q) => q.length <= 200 && !q.includes('\0') && q.isWellFormed())
      for (let at = 0; at < searches.length; at += 20) {
        const batch = searches.slice(at, at + 20)
        expect(await Promise.all(batch.map(status)), JSON.stringify(batch)).toEqual(batch.map(() => 200))
      }
      const [row] = await site.db`select count(*)::int as count from bookmarks`
      expect(row?.count).toBe(5)
    },
  )

  test('whose letters become many more without accents never fail', async () => {
    await saveFilm(site, tom, 'Aero club', { video: { title: 'Aero club' } })
    // 'æ' becomes 'ae', which is similar to 'aero'.
    expect(await status('æ'.repeat(200))).toBe(200)
    expect(await titles('aeros')).toEqual(['Aero club'])
  })
})

describe('a video that several users saved', () => {
  let second: Bookmark
  let lead: Bookmark

  beforeAll(async () => {
    lead = await saveFilm(site, ines, 'shared', {
      video: { source_url: 'https://shared.example.com/1', title: 'Lighthouse', tags: ['sea'] },
    })
    second = await saveFilm(site, tom, 'shared', {
      video: {
        source_url: 'https://shared.example.com/1',
        title: 'Waves at night',
        tags: ['storm'],
        description: 'Rough water',
        orientation: 'bi',
      },
    })
  })

  const found = async (query: ListingQuery) => {
    const { count, results } = await site.call(listVideos, { query })
    expect(results).toHaveLength(count)
    return results.map(({ id, title }) => [id, title])
  }
  const byLead = () => [[lead.id, 'Lighthouse']]

  test.each<[string, ListingQuery]>([
    ['the title', { q: 'waves' }],
    ['the description', { q: '"rough water"' }],
    ['the owner', { q: 'user:tom_tomson site:shared.example.com' }],
    ['a tag in the search', { q: 'tag:storm' }],
    ['a tag', { tag: 'storm' }],
    ['a misspelt word', { q: 'watr' }],
    ['words of all its bookmarks', { q: 'site:shared.example.com' }],
    ['random order', { q: 'waves', sort: 'random', seed: 5 }],
  ])('is found by %s of any of them, and shown once, by its lead bookmark', async (_name, query) => {
    expect(await found(query)).toEqual(byLead())
  })

  test('is not found by words from different bookmarks together', async () => {
    expect(await found({ q: 'lighthouse waves' })).toEqual([])
  })

  test('is not found by a search that excludes what the bookmark that is shown contains', async () => {
    await site.db`insert into likes (user_id, video_id) values (${ines.id}, ${lead.video.id}) on conflict do nothing`
    for (const q of ['waves -lighthouse', '-lighthouse', '-tag:sea', '-user:ines'])
      for (const list of [{}, { liked_by: 'ines' }])
        expect(await found({ q, ...list }), q).not.toContainEqual(byLead()[0])
    // The list of a user contains bookmarks, of which each is compared alone.
    expect(await found({ user: 'tom_tomson', q: 'waves -lighthouse' })).toEqual([
      [second.id, 'Waves at night'],
    ])
    expect(await found({ q: 'lighthouse -waves' })).toEqual(byLead())
  })

  test('has the orientation of its lead bookmark', async () => {
    expect(await found({ q: 'waves', orientation: 'sfw' })).toEqual(byLead())
    expect(await found({ q: 'waves', orientation: 'bi' })).toEqual([])
  })

  test('is also found among likes, and on the profiles of the users who used the words', async () => {
    await site.db`insert into likes (user_id, video_id) values (${ines.id}, ${lead.video.id}) on conflict do nothing`
    expect(await found({ liked_by: 'ines', q: 'waves' })).toEqual(byLead())
    expect(await found({ user: 'tom_tomson', q: 'waves' })).toEqual([[second.id, 'Waves at night']])
    expect(await found({ user: 'ines', q: 'waves' })).toEqual([])
  })

  test('counts each visible bookmark for the tags of that bookmark', async () => {
    const [tag] = await site.db`select uses_count from tags where name = 'storm'`
    expect(tag?.uses_count).toBe(1)
  })

  test('is not found by a private bookmark, and is shown by the next one if its lead becomes private', async () => {
    await site.db`update bookmarks set access = 'private' where id = ${lead.id}`
    expect(await found({ q: 'lighthouse' })).toEqual([])
    expect(await found({ q: 'waves' })).toEqual([[second.id, 'Waves at night']])
    await site.db`update bookmarks set access = 'public' where id = ${lead.id}`
    await site.db`update bookmarks set access = 'private' where id = ${second.id}`
    expect(await found({ q: 'waves' })).toEqual([])
  })
})

test('a search by user shows every video that they saved publicly', async () => {
  const jonas = await signUp(site, 'jonas')
  for (let film = 0; film < 6; film++) {
    if (film % 3 === 0) await saveFilm(site, ines, `six ${film}`)
    await saveFilm(site, jonas, `six ${film}`)
  }
  expect((await site.call(listVideos, { query: { q: 'user:jonas' } })).count).toBe(6)
})
