/**
 * Reads bookmark files in HTML: the Netscape format of browsers, Raindrop, linkding, Linkwarden, Pinboard, Diigo and
 * Shaarli, and Pocket's page. They leave many tags open, but close their lists, so only lists show where a folder ends.
 */
import { MalformedFile } from '../json-stream.ts'
import { type RawItem, splitNames } from './imported-item.ts'
import { readPageItems } from './page-items.ts'
import { maxFolderDepth } from './read-limits.ts'
import type { SourceFile } from './uploaded-file.ts'

/** Characters of a title or description that are stored while it is read. */
const maxTextLength = 40_000

const notesStart = '[linkding-notes]'
const notesEnd = '[/linkding-notes]'
/** linkding marks archived bookmarks by a tag. */
const markerTags: ReadonlySet<string> = new Set(['linkding:bookmarks.archived', 'linkding:archived'])

/** @throws MalformedFile */
export function readBookmarkPage(file: SourceFile): AsyncGenerator<RawItem> {
  return readPageItems(file, createPageReader())
}

function createPageReader() {
  let items: RawItem[] = []
  const folders: string[] = []
  let heading = ''
  let item: RawItem | null = null
  let captured: 'heading' | 'title' | 'description' | null = null
  let text = ''

  const endItem = (): void => {
    endCapture()
    if (item !== null) items.push(item)
    item = null
  }
  const endCapture = (): void => {
    if (captured === 'heading') heading = text
    if (captured === 'title' && item !== null) item.title = text
    if (captured === 'description' && item !== null) Object.assign(item, splitNotes(text))
    captured = null
    text = ''
  }
  const capture = (what: typeof captured): void => {
    endCapture()
    captured = what
  }
  return {
    end: endItem,
    takeItems(): RawItem[] {
      const taken = items
      items = []
      return taken
    },
    open(tag: string, attributes: Record<string, string>): void {
      if (tag === 'a' && attributes.href !== undefined) {
        endItem()
        item = readLink(attributes, folders)
        capture('title')
      } else if (tag === 'h3') {
        endItem()
        capture('heading')
      } else if (tag === 'dd') {
        capture('description')
      } else if (tag === 'dl') {
        endItem()
        if (folders.length === maxFolderDepth) throw new MalformedFile('The folders are nested too deeply.')
        folders.push(heading)
        heading = ''
      } else if (tag === 'dt' || tag === 'li') {
        endItem()
      } else if (tag === 'br' && captured === 'description') {
        text += '\n'
      }
    },
    close(tag: string): void {
      if (tag === 'dl') {
        endItem()
        folders.pop()
      } else if (tag === 'a' || tag === 'h3' || tag === 'dd') {
        endCapture()
      }
    },
    text(piece: string): void {
      if (captured !== null && text.length < maxTextLength) text += piece
    },
  }
}

function readLink(attributes: Record<string, string>, folders: readonly string[]): RawItem {
  const { href, add_date, time_added, tags = '', private: isPrivate, toread } = attributes
  return {
    kind: toread === '1' ? 'watch_later' : 'saved',
    url: href,
    tags: splitNames(tags, ',').filter((tag) => !markerTags.has(tag.trim())),
    folders: [...folders],
    saved_at: add_date ?? time_added,
    is_private: isPrivate === undefined ? null : isPrivate !== '0',
  }
}

function splitNotes(text: string): Pick<RawItem, 'description' | 'note'> {
  const [description = '', notes = ''] = text.split(notesStart)
  return { description, note: notes.split(notesEnd)[0] }
}
