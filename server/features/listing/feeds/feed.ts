/** What a feed contains, whatever its format (docs/decisions/0060-feeds-and-discovery.md). */
import type { ListingItem } from '@reelmark/contract/listing.ts'
import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import { cutText } from '../../../shared/cut-text.ts'

/** A row of a feed: a card with what only feeds show. */
export type FeedRow = ListingItem & {
  description: string
  tags: string[]
  updated_at: Date
  source_url: string
}

/** What a feed is about. */
export interface FeedHead {
  /** Without the name of the site. */
  title: string
  description: string
  /** Path and query of the page with the same list. */
  page: string
  /** When the list was created, which is when an empty feed was last changed. */
  createdAt: Date
}

export interface FeedEntry {
  /** The address of the bookmark's page, which never changes. */
  url: string
  /** The address of the video's page on its own site. */
  sourceUrl: string
  title: string
  summary: string
  author: string
  authorUrl: string
  tags: string[]
  publishedAt: Date
  updatedAt: Date
  /** Null for adult videos, as in link previews. */
  thumbnailUrl: string | null
  isAdult: boolean
}

export interface Feed {
  title: string
  description: string
  pageUrl: string
  /** The address of the feed itself. */
  selfUrl: string
  /** The WebSub hub that announces changes of this feed; null: none. */
  hubUrl: string | null
  updatedAt: Date
  entries: FeedEntry[]
}

/** Characters of a description that a feed shows. */
const maxSummary = 1000

/** Adds the name of the site to a title. */
export function siteTitle(title: string): string {
  return `${title} · Reelmark`
}

/** Composes a feed. `selfPath` is its own path and query; `hubUrl` a hub that learns of its changes, or null. */
export function composeFeed(
  head: FeedHead,
  rows: readonly FeedRow[],
  { publicUrl, selfPath, hubUrl }: { publicUrl: string; selfPath: string; hubUrl: string | null },
): Feed {
  const entries = rows.map((row) => composeEntry(row, publicUrl))
  return {
    title: siteTitle(head.title),
    description: head.description,
    pageUrl: publicUrl + head.page,
    selfUrl: publicUrl + selfPath,
    hubUrl,
    updatedAt: new Date(
      Math.max(head.createdAt.getTime(), ...entries.map(({ updatedAt }) => updatedAt.getTime())),
    ),
    entries,
  }
}

function composeEntry(row: FeedRow, publicUrl: string): FeedEntry {
  const adult = isAdult(row.orientation)
  const thumbnail = row.thumbnail_large_url ?? row.thumbnail_url
  const description = row.description.trim()
  return {
    url: `${publicUrl}/bookmarks/${row.id}`,
    sourceUrl: row.source_url,
    title: row.title,
    summary:
      description === ''
        ? `Video on ${row.host}, saved by ${row.user_username} on Reelmark.`
        : cutText(description, maxSummary),
    author: row.user_username,
    authorUrl: `${publicUrl}/users/${encodeURIComponent(row.user_username)}`,
    tags: row.tags,
    publishedAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    thumbnailUrl: adult || thumbnail === null ? null : publicUrl + thumbnail,
    isAdult: adult,
  }
}
