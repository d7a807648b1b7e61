/** Field schemas shared by request bodies, queries and replies. */
import * as t from 'typebox'
import * as limits from './limits.ts'

/** Limited to integers that a double represents exactly; the database keys are bigint. */
export const Id = t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const IdParams = t.Object({ id: Id })

/** ISO 8601 in UTC. */
export const Time = t.String({ format: 'date-time' })

export const Username = t.String({
  minLength: limits.usernameMin,
  maxLength: limits.usernameMax,
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$',
})

/** An absolute http or https URL. The server registers the format; the browser calls `isHttpUrl` (parse-url.ts). */
export const HttpUrl = t.String({ format: 'http-url', maxLength: limits.urlMax })

/** Blank means no URL, because forms send empty fields as blank text. */
export const HttpUrlOrBlank = t.String({ format: 'http-url-or-blank', maxLength: limits.urlMax })

/** Returns a schema for text that is trimmed and may not be blank. */
export function text(maxLength: number) {
  return t.String({ minLength: 1, maxLength })
}

/** Returns a schema for text that is trimmed and may be blank. */
export function optionalText(maxLength: number) {
  return t.String({ maxLength })
}

/** Returns a schema of optional text for each name and its maximum length: `optionalTexts({ description: 5000 })`. */
export function optionalTexts<Name extends string>(maxLengths: Record<Name, number>) {
  const entries = Object.entries<number>(maxLengths).map(([name, max]) => [name, optionalText(max)])
  return Object.fromEntries(entries) as Record<Name, t.TString>
}

/** Returns the schema of an optional boolean for each name. */
export function optionalFlags<Name extends string>(names: readonly Name[]) {
  const entries = names.map((name) => [name, t.Optional(t.Boolean())])
  return Object.fromEntries(entries) as Record<Name, t.TOptional<t.TBoolean>>
}

/**
 * Returns the schema extended by null. It uses `type: ['string', 'null']` instead of `anyOf`, so that errors name the
 * field's own problem and the serialiser needs no validator per row.
 */
export function nullable<S extends t.TSchema>(schema: S) {
  const { type, enum: choices } = schema as { type?: string; enum?: readonly unknown[] }
  return t.Unsafe<t.Static<S> | null>({
    ...schema,
    ...(type === undefined ? {} : { type: [type, 'null'] }),
    ...(choices === undefined ? {} : { enum: [...choices, null] }),
  })
}

export const orientations = ['straight', 'gay', 'bi', 'trans', 'sfw'] as const
export const knownShapes = ['landscape', 'portrait', 'square'] as const
export const shapes = [...knownShapes, 'unknown'] as const
export const accesses = ['public', 'private'] as const

export const Orientation = t.Enum(orientations)
/** `all` does not filter. */
export const orientationFilters = ['all', ...orientations] as const
export const OrientationFilter = t.Enum(orientationFilters)
export const Shape = t.Enum(shapes)
export const BookmarkAccess = t.Enum(accesses)

export type Orientation = t.Static<typeof Orientation>
export type OrientationFilter = t.Static<typeof OrientationFilter>
export type Shape = t.Static<typeof Shape>
export type BookmarkAccess = t.Static<typeof BookmarkAccess>

/** Everything except `sfw` is adult content (docs/behaviour.md, Videos and bookmarks). */
export function isAdult(orientation: Orientation): boolean {
  return orientation !== 'sfw'
}

export const Tag = t.Object({ id: Id, name: t.String() })
export type Tag = t.Static<typeof Tag>

export const TagNames = t.Array(text(limits.tagMax), { maxItems: limits.tagsMax })

/** The name and avatar of a user. */
export const UserSummary = t.Object({
  id: Id,
  username: t.String(),
  avatar_url: t.String(),
  is_verified: t.Boolean(),
})
export type UserSummary = t.Static<typeof UserSummary>

/** Returns the fields with each of them optional: `t.Object({ id: Id, ...optionalFields(facts) })`. */
export function optionalFields<Fields extends Record<string, t.TSchema>>(
  fields: Fields,
): { [Name in keyof Fields]: t.TOptional<Fields[Name]> } {
  const entries = Object.entries(fields).map(([name, schema]) => [name, t.Optional(schema)])
  return Object.fromEntries(entries) as { [Name in keyof Fields]: t.TOptional<Fields[Name]> }
}

/** The usernames of existing users whom the text next to it mentions as `@name`. */
export const Mentions = t.Optional(t.Array(t.String()))

/** The token of the secret link of a collection: `/unlisted/{token}`. */
export const LinkToken = t.String({ minLength: 1, maxLength: 100 })
