/** Reads items from HTML pages, so that memory does not grow with the page. */
import { chunkLength, createHtmlTokenizer, type HtmlEvents } from '../../../core/html-tokenizer.ts'
import { createYield } from '../../../core/yield.ts'
import { MalformedFile } from '../json-stream.ts'
import { decodeText } from './decode-text.ts'
import type { RawItem } from './imported-item.ts'
import { maxTagLength } from './read-limits.ts'
import type { SourceFile } from './uploaded-file.ts'

interface PageReader extends HtmlEvents {
  /** Returns the items that are complete, each once. */
  takeItems(): RawItem[]
  /** Completes the last item. */
  end(): void
}

/** Yields what a reader finds in a page. @throws MalformedFile */
export async function* readPageItems(file: SourceFile, reader: PageReader): AsyncGenerator<RawItem> {
  const tokenizer = createHtmlTokenizer(reader)
  const letOthersRun = createYield()
  for await (const text of decodeText(file.open())) {
    for (let at = 0; at < text.length; at += chunkLength) {
      await letOthersRun()
      tokenizer.write(text.slice(at, at + chunkLength))
      if (tokenizer.pendingLength() > maxTagLength) throw new MalformedFile('A tag of the file is too long.')
      yield* reader.takeItems()
    }
  }
  tokenizer.end()
  reader.end()
  yield* reader.takeItems()
}
