import type { Extraction } from '@reelmark/contract/extraction.ts'
import { expect, test } from 'vitest'
import { quickSave } from './pending-save.ts'
import { createSaveBody } from './save-body.ts'

const url = 'https://films.example.org/1'
const destination = { collection: 1, channel: 11 }
const account = { orientation: 'sfw' } as const

const extraction: Extraction = {
  video: {
    source_url: url,
    title: 'The Lighthouse',
    description: 'Waves.',
    tags: [],
    embed_url: 'https://player.example.org/1',
    thumbnail_url: `https://pictures.example.org/${'a'.repeat(3000)}.jpg`,
    orientation: 'gay',
    shape: 'landscape',
    duration: 600,
    width: 1280,
    height: 720,
    provider: null,
    uploader_name: null,
    uploader_url: null,
  },
  suggested_tags: ['sea'],
  channel_name: null,
  uploader_destination: null,
  player: 'other',
  start_seconds: 15,
  partial: false,
  warnings: [],
  pictures: [],
}

test('what the site finds completes what the user asked for', () => {
  const { video, bookmark } = createSaveBody(quickSave(url, ''), destination, extraction, account)
  expect(video).toMatchObject({
    source_url: url,
    title: 'The Lighthouse',
    orientation: 'gay',
    duration: 600,
    tags: [],
  })
  expect(video.thumbnail_url, 'longer than the site accepts').toBeNull()
  expect(bookmark).toEqual({ channel_id: 11, start_seconds: 15 })
})

test('what the user entered comes first', () => {
  const request = { ...quickSave(url, 'My title'), note: ' mine ', startSeconds: 83, tags: ['sea'] }
  const { video, bookmark } = createSaveBody(
    { ...request, access: 'private' },
    destination,
    extraction,
    account,
  )
  expect(video).toMatchObject({ title: 'My title', tags: ['sea'] })
  expect(bookmark).toEqual({ channel_id: 11, access: 'private', private_note: 'mine', start_seconds: 83 })
})

test('a page about which nothing is found has its address as the title', () => {
  const { video, bookmark } = createSaveBody(quickSave(url, ' '), { collection: 3, channel: null }, null, {
    orientation: 'bi',
  })
  expect(video).toEqual({ source_url: url, title: url, tags: [], orientation: 'bi' })
  expect(bookmark).toEqual({ channel_id: null, collection_id: 3 })
})
