import * as t from 'typebox'
import { Check } from 'typebox/schema'

const text = () => t.Optional(t.Union([t.String(), t.Null()]))
const number = () => t.Optional(t.Union([t.Number({ minimum: 0, maximum: 1e9 }), t.Null()]))

/** What yt-dlp prints. Addresses of videos are not asked for. */
const Output = t.Object(
  {
    title: text(),
    thumbnail: text(),
    duration: number(),
    uploader: text(),
    uploader_url: text(),
    width: number(),
    height: number(),
    /** How many videos the link leads to; null: it is the link of one. */
    playlist_count: number(),
  },
  { additionalProperties: false },
)

/** Facts as the site of the video names them, without any check. Duration in seconds, sizes in pixels. */
export type YtDlpFacts = Omit<t.Static<typeof Output>, 'playlist_count'>

export const ytDlpFields = Object.keys(Output.properties)

/** Reads yt-dlp's output; null for anything unexpected and for lists of videos. */
export function readFacts(output: string): YtDlpFacts | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(output)
  } catch {
    return null
  }
  if (!Check(Output, parsed)) return null
  const { playlist_count, ...facts } = parsed as t.Static<typeof Output>
  return (playlist_count ?? 0) > 0 ? null : facts
}
