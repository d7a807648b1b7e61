import { randomUUID } from 'node:crypto'
import { type Bookmark, type SaveInput, saveBookmark, splitTags } from '@reelmark/contract/bookmarks.ts'
import { type Extraction, extractMetadata } from '@reelmark/contract/extraction.ts'
import { CallError, isCallError } from '@reelmark/contract/protocol/call.ts'
import type { Command, Context } from '../command.ts'
import { findSaveDestination } from '../destination.ts'
import { toCommandError, usageError } from '../failures.ts'
import { readLinks } from '../read-links.ts'
import { retryWhenLimited } from '../retry-when-limited.ts'
import type { Site } from '../site.ts'
import { countOf, printable } from '../terminal.ts'

/** What the user entered for every link. */
interface Choices {
  destination: Awaited<ReturnType<typeof findSaveDestination>>
  title: string | undefined
  tags: string[]
  isPrivate: boolean
  note: string | undefined
}

interface Outcome {
  url: string
  status: 'saved' | 'already_saved' | 'failed'
  bookmark_id: number | null
  title: string | null
  error: string | null
}

export const addCommand: Command = {
  usage: 'URL… [options]',
  summary: 'save links',
  help: `Without a URL, or with "-", links are read from standard input, one per line; lines that begin with # are ignored.
A link that you already saved in that collection counts as a success.

  --collection NAME  the collection, by name or id (default: your default collection)
  --channel NAME     the channel, by name or id
  --tags A,B         tags in addition to those of the page
  --private          only you can see the bookmark
  --title TEXT       the title instead of that of the page; only for a single link
  --note TEXT        a private note`,
  options: {
    collection: { type: 'string' },
    channel: { type: 'string' },
    tags: { type: 'string' },
    private: { type: 'boolean' },
    title: { type: 'string' },
    note: { type: 'string' },
  },
  run: async (context, { positionals, values }) => {
    const { collection, channel, tags = '', title, note } = values as Record<string, string | undefined>
    const links = await readLinks(positionals, context.terminal.stdin)
    if (links.length === 0) throw usageError('Name a link, or pass links on standard input.')
    if (title !== undefined && links.length > 1) throw usageError('--title is only for a single link.')
    const site = await context.openSite()
    const choices: Choices = {
      destination: await findSaveDestination(site, { collection, channel }),
      title,
      tags: splitTags(tags),
      isPrivate: values.private === true,
      note,
    }
    const outcomes: Outcome[] = []
    for (const url of links) {
      const outcome = await addLink(context, site, url, choices)
      outcomes.push(outcome)
      if (!context.isJson) report(context, site, outcome)
    }
    const failedCount = outcomes.filter(({ status }) => status === 'failed').length
    context.print(outcomes, '')
    if (failedCount > 0 && outcomes.length > 1) context.note(`${countOf(failedCount, 'link')} failed.`)
    return failedCount === 0
  },
}

/** Saves a link. Problems with one link do not end the command; those of the login or the connection do. */
async function addLink(context: Context, site: Site, url: string, choices: Choices): Promise<Outcome> {
  try {
    const extraction = await extract(context, site, url, choices.title)
    const input = toSaveInput(url, extraction, choices)
    // The same key for each attempt, so that a repeated request saves nothing twice.
    const key = { 'idempotency-key': randomUUID() }
    const { id, title }: Bookmark = await retryWhenLimited(context, () =>
      site.call(saveBookmark, { body: input }, key),
    )
    return { url, status: 'saved', bookmark_id: id, title, error: null }
  } catch (error) {
    if (isCallError(error) && error.code === 'already-saved') {
      const { bookmark_id } = error.body as { bookmark_id: number }
      return { url, status: 'already_saved', bookmark_id, title: null, error: null }
    }
    const isAboutLink = isCallError(error) && [400, 404, 409, 422].includes(error.status)
    if (!isAboutLink) throw error
    const message = toCommandError(error, site.address)?.message ?? ''
    return { url, status: 'failed', bookmark_id: null, title: null, error: message }
  }
}

/** Returns what the site finds about a link; null if it finds nothing and the user entered a title. */
async function extract(
  context: Context,
  site: Site,
  url: string,
  title: string | undefined,
): Promise<Extraction | null> {
  try {
    const extraction = await retryWhenLimited(context, () => site.call(extractMetadata, { body: { url } }))
    if (title === undefined && extraction.video.title === '') {
      throw new CallError(422, { detail: 'The page has no title. Enter one with --title.', code: 'invalid' })
    }
    return extraction
  } catch (error) {
    if (title !== undefined && isCallError(error) && error.code === 'extraction-failed') return null
    throw error
  }
}

function toSaveInput(
  url: string,
  extraction: Extraction | null,
  { destination, title, tags, isPrivate, note }: Choices,
): SaveInput {
  const video = extraction?.video ?? null
  const allTags = [...new Set([...(video?.tags ?? []), ...tags])]
  return {
    video: {
      source_url: video?.source_url ?? url,
      title: title ?? video?.title ?? '',
      tags: allTags,
      ...(video !== null && {
        description: video.description,
        thumbnail_url: video.thumbnail_url,
        embed_url: video.embed_url,
        orientation: video.orientation,
        shape: video.shape,
        duration: video.duration,
        width: video.width,
        height: video.height,
      }),
    },
    bookmark: {
      ...destination,
      tags: allTags,
      ...(isPrivate && { access: 'private' as const }),
      ...(note !== undefined && { private_note: note }),
      ...(extraction !== null &&
        extraction.start_seconds !== null && { start_seconds: extraction.start_seconds }),
    },
  }
}

function report(
  { terminal, note }: Context,
  site: Site,
  { url, status, bookmark_id, title, error }: Outcome,
) {
  if (status === 'failed') return note(`${printable(url)}: ${printable(error ?? '')}`)
  const name = title === null ? 'Already saved' : `Saved ${printable(title)}`
  terminal.stdout.write(`${name}: ${site.address}/bookmarks/${bookmark_id}\n`)
}
