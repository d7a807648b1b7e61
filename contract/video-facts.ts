/** The facts about a video that extraction finds, savers may correct, and exports contain: one schema for all of them. */
import * as t from 'typebox'
import { nullable, Orientation, optionalText, Shape, TagNames, text } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

const Pixels = t.Integer({ minimum: 1, maximum: 100_000 })

/** What an owner writes about a video. */
export const metadataFields = {
  title: text(limits.titleMax),
  description: optionalText(limits.descriptionMax),
  tags: TagNames,
}

/** What the video is like. `Url` is the schema of its links: forms send shorter ones than are stored. */
export function factFields<Url extends t.TSchema>(Url: Url) {
  return {
    /** https; null where the video has no player for other sites. */
    embed_url: nullable(Url),
    thumbnail_url: nullable(Url),
    orientation: Orientation,
    shape: Shape,
    /** Seconds. */
    duration: nullable(t.Integer({ minimum: 0, maximum: limits.durationMax })),
    width: nullable(Pixels),
    height: nullable(Pixels),
  }
}
