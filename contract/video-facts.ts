/** The fields that extraction finds, users enter, and exports contain: one schema for all of them. */
import * as t from 'typebox'
import {
  nullable,
  Orientation,
  optionalText,
  optionalTexts,
  Shape,
  TagNames,
  text,
} from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

const Pixels = t.Integer({ minimum: 1, maximum: 100_000 })

/**
 * The maximum lengths of the optional texts that an owner enters about a video. The database, forms, exports and imports
 * follow this list: each name is a column of bookmarks, a field of the API and a field of the forms.
 */
export const metadataTextMax = { description: limits.descriptionMax }
export type MetadataText = keyof typeof metadataTextMax
export type MetadataTexts = Record<MetadataText, string>

export const metadataTextNames = Object.keys(metadataTextMax) as MetadataText[]
export const metadataTexts = optionalTexts(metadataTextMax)

/** Returns an object with a value for each of the texts. */
export function mapMetadataTexts<Value>(toValue: (name: MetadataText) => Value): Record<MetadataText, Value> {
  const entries = metadataTextNames.map((name) => [name, toValue(name)])
  return Object.fromEntries(entries) as Record<MetadataText, Value>
}

/** What an owner enters about a video. */
export const metadataFields = { title: text(limits.titleMax), ...metadataTexts, tags: TagNames }

/** The time at which an owner's bookmark starts, in seconds. 0 is stored as null: from the beginning. */
export const StartSeconds = t.Integer({ minimum: 0, maximum: limits.durationMax })

/**
 * The uploader: the channel or account at the host that published the video, as the host names it. Not a channel of a
 * collection here. `Url` is the schema of links.
 */
export function uploaderFields<Url extends t.TSchema>(Url: Url) {
  return {
    uploader_name: nullable(optionalText(limits.nameMax)),
    /** The page of the uploader at the host: https, otherwise null. Null also without a name. */
    uploader_url: nullable(Url),
  }
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
