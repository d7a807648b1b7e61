/** The fields that extraction finds, users enter, and exports contain: one schema for all of them. */
import * as t from 'typebox'
import { nullable, Orientation, optionalText, Shape, TagNames, text } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

const Pixels = t.Integer({ minimum: 1, maximum: 100_000 })

/** What an owner enters about a video. */
export const metadataFields = {
  title: text(limits.titleMax),
  description: optionalText(limits.descriptionMax),
  tags: TagNames,
}

/** Facts about the video itself. `Url` is the schema of links: forms accept shorter ones than are stored. */
export function factFields<Url extends t.TSchema>(Url: Url) {
  return {
    /** https; null if the video has no embeddable player. */
    embed_url: nullable(Url),
    thumbnail_url: nullable(Url),
    orientation: Orientation,
    shape: Shape,
    /** In seconds. */
    duration: nullable(t.Integer({ minimum: 0, maximum: limits.durationMax })),
    width: nullable(Pixels),
    height: nullable(Pixels),
  }
}
