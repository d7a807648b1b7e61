import type { TestApp } from '../../../testing/test-app.ts'
import { mergeVideos } from './merge-videos.ts'
import { scanVideos } from './scan-videos.ts'

/** Links of one video, of which only the first was recognised before there was a rule for the others. */
export function linksOf(film: string): [string, string, string] {
  const id = film.padEnd(11, '_').slice(0, 11)
  return [
    `https://www.youtube.com/watch?v=${id}`,
    `https://www.youtube.com/embed/${id}`,
    `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
  ]
}

/** Gives a video the identity that it had before its link was recognised. */
export async function forgetRule(site: TestApp, videoId: number, link: string): Promise<void> {
  await site.db`
    update videos set canonical_url = ${link}, source_url = ${link}, host = ${new URL(link).hostname.replace('www.', '')},
           provider = null, provider_id = null
     where id = ${videoId}`
}

let versions = 0

/** Looks for duplicates as after a change of the rules, and merges them completely. */
export async function mergeAll(site: TestApp) {
  versions += 1
  const result = await scanVideos(site.db, { seconds: 600, version: `test ${versions}` })
  await mergeVideos(site.db, { seconds: 600, deleteAfterSeconds: 0 })
  return result
}
