import { listVideos } from '@reelmark/contract/listing.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp } from '../../testing/test-users.ts'

let site: TestApp

beforeAll(async () => {
  site = await bootApp()
  const ines = await signUp(site, 'ines')
  const save = (title: string, description = '', tags: string[] = []) =>
    saveFilm(site, ines, title, {
      video: {
        source_url: `https://films.example.org/v/${encodeURIComponent(title)}`,
        title,
        description,
        tags,
      },
    })
  await save('東京都の夜景', '日本語映画のドキュメンタリー', ['夜景'])
  await save('京都観光ガイド2024')
  await save('北京大学介绍', '中文电影。介绍')
  await save('วิธีทำอาหารไทย', 'อาหารไทยง่ายๆ')
  await save('Ramen ラーメン in Osaka', 'Noodles')
})
afterAll(() => site.close())

const titles = async (q: string) =>
  (await site.call(listVideos, { query: { q } })).results.map(({ title }) => title).sort()

test.each([
  ['a word in the middle of a Japanese title', '夜景', ['東京都の夜景']],
  ['a word in the middle of a Japanese description', '映画', ['東京都の夜景']],
  ['a longer word', 'ドキュメンタリー', ['東京都の夜景']],
  ['a part of a longer word', '京都', ['京都観光ガイド2024', '東京都の夜景']],
  ['a single character', '語', ['東京都の夜景']],
  ['a single character at the end of a text', '景', ['東京都の夜景']],
  ['two words', '東京 映画', ['東京都の夜景']],
  ['a word next to another one in Latin letters or digits', 'ガイド2024', ['京都観光ガイド2024']],
  ['a word between Latin words', 'ラーメン', ['Ramen ラーメン in Osaka']],
  ['a phrase of both', '"ramen ラーメン in"', ['Ramen ラーメン in Osaka']],
  ['a Chinese word', '电影', ['北京大学介绍']],
  ['a Chinese phrase across punctuation', '"电影介绍"', []],
  ['a Thai word in the middle of a title', 'อาหาร', ['วิธีทำอาหารไทย']],
  ['another Thai word', 'ไทยง่าย', ['วิธีทำอาหารไทย']],
  ['characters in another order', '都京', []],
  ['characters that are not adjacent', '東都', []],
  ['a word that is excluded', '京都 -夜景', ['京都観光ガイド2024']],
  ['a tag', 'tag:夜景', ['東京都の夜景']],
])('a search in a text without spaces finds %s: %s', async (_name, q, found) => {
  expect(await titles(q)).toEqual(found)
})
