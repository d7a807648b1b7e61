/** Reads a plain list of links: one or more per line, possibly between other words. */
import { createYield } from '../../../core/yield.ts'
import { MalformedFile } from '../json-stream.ts'
import { decodeText } from './decode-text.ts'
import type { RawItem } from './imported-item.ts'
import { maxRowLength } from './read-limits.ts'
import type { SourceFile } from './uploaded-file.ts'

const linkPattern = /https?:\/\/[^\s<>"]+/gi

/** @throws MalformedFile */
export async function* readLinkList(file: SourceFile): AsyncGenerator<RawItem> {
  const letOthersRun = createYield()
  let title = ''
  for await (const line of readLines(file)) {
    await letOthersRun()
    const text = line.trim()
    // Playlists of players (M3U) write the title on the line before the link.
    if (text.startsWith('#EXTINF:')) title = text.slice(text.indexOf(',') + 1)
    if (text === '' || text.startsWith('#')) continue
    const links = text.match(linkPattern)?.map(trimPunctuation) ?? null
    if (links === null && /^(?:urls?|links?)$/i.test(text)) continue
    if (links === null) yield { url: text }
    else for (const link of links) yield { url: link, title: links.length === 1 ? title : '' }
    title = ''
  }
}

async function* readLines(file: SourceFile): AsyncGenerator<string> {
  let pending = ''
  for await (const text of decodeText(file.open())) {
    const lines = (pending + text).split(/\r\n|\n|\r/)
    pending = lines.pop() ?? ''
    if (pending.length > maxRowLength) throw new MalformedFile('A line of the file is too long.')
    yield* lines
  }
  yield pending
}

/** Removes the punctuation that follows a link in running text. */
function trimPunctuation(link: string): string {
  return link.includes('(')
    ? link.replace(/(?<![.,;:!?'])[.,;:!?']+$/, '')
    : link.replace(/(?<![.,;:!?')])[.,;:!?')]+$/, '')
}
