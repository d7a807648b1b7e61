import { Tokenizer } from 'htmlparser2'
import { createYield, nextTurn } from './yield.ts'

export type HtmlEvents = {
  /** Names are in lower case, entities in values are decoded. */
  open(tag: string, attributes: Record<string, string>): void
  close(tag: string): void
  /** Called also for the raw text of script and style. */
  text(text: string): void
}

/** How many attributes of an element are read; a page can contain an element with half a million. */
const maxAttributes = 200

/** How many characters are tokenized without a pause: takes up to two milliseconds, more while the code is compiled. */
export const chunkLength = 8192

/**
 * Reads HTML as a stream of tags and text without building a tree, so that the time is linear in any case. Tree builders
 * take minutes for a page of 500,000 nested elements (2.5 MB).
 */
export function tokenizeHtml(html: string, events: HtmlEvents): void {
  const tokenizer = createHtmlTokenizer(events)
  tokenizer.write(html)
  tokenizer.end()
}

/** Reads XML as a stream of tags and text. The text of CDATA sections is passed on as it is. */
export function tokenizeXml(xml: string, events: HtmlEvents): void {
  const tokenizer = createHtmlTokenizer(events, { xmlMode: true })
  tokenizer.write(xml)
  tokenizer.end()
}

/** Reads HTML, or XML if `xmlMode` is set, with pauses for other work: tokenizing 5 MB takes seconds. */
export async function tokenizeLongHtml(
  html: string,
  events: HtmlEvents,
  options: { xmlMode?: boolean } = {},
): Promise<void> {
  const tokenizer = createHtmlTokenizer(events, options)
  await nextTurn()
  const letOthersRun = createYield()
  for (let at = 0; at < html.length; at += chunkLength) {
    await letOthersRun()
    tokenizer.write(html.slice(at, at + chunkLength))
  }
  tokenizer.end()
}

/**
 * Returns a tokenizer of HTML that arrives in pieces. It stores only the text of a tag or comment that is not complete yet;
 * `pendingLength` returns the length of that text.
 */
export function createHtmlTokenizer(events: HtmlEvents, { xmlMode = false } = {}) {
  let pending = ''
  /** The position of `pending` in the whole text, and how much of it is processed. */
  let offset = 0
  let processed = 0
  let tag = ''
  let attributes: Record<string, string> = {}
  let count = 0
  let name = ''
  let value = ''

  const readSlice = (start: number, end: number): string => {
    processed = end
    return pending.slice(start - offset, end - offset)
  }
  const endOpenTag = () => {
    if (tag !== '') events.open(tag, attributes)
    tag = ''
  }
  const tokenizer = new Tokenizer(
    { xmlMode, decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = readSlice(start, end).toLowerCase()
        attributes = {}
        count = 0
      },
      onattribname(start, end) {
        name = readSlice(start, end).toLowerCase()
        value = ''
      },
      onattribdata(start, end) {
        value += readSlice(start, end)
      },
      onattribentity(codepoint) {
        value += String.fromCodePoint(codepoint)
      },
      onattribend() {
        // The first of two equal names wins, as in browsers. A page may contain the name `__proto__`.
        if (count++ < maxAttributes && name !== '__proto__' && !Object.hasOwn(attributes, name))
          attributes[name] = value
      },
      onopentagend: endOpenTag,
      onselfclosingtag() {
        const closed = tag
        endOpenTag()
        // In HTML the slash means nothing.
        if (xmlMode && closed !== '') events.close(closed)
      },
      onclosetag(start, end) {
        events.close(readSlice(start, end).toLowerCase())
      },
      ontext(start, end) {
        events.text(readSlice(start, end))
      },
      ontextentity(codepoint) {
        events.text(String.fromCodePoint(codepoint))
      },
      oncdata(start, end, markLength) {
        const text = readSlice(start, end - markLength)
        if (xmlMode) events.text(text)
      },
      oncomment: readSlice,
      ondeclaration: readSlice,
      onprocessinginstruction: readSlice,
      onend() {},
    },
  )
  return {
    write(text: string): void {
      pending = pending.slice(processed - offset) + text
      offset = processed
      tokenizer.write(text)
    },
    end(): void {
      tokenizer.end()
    },
    pendingLength: () => pending.length - (processed - offset),
  }
}

/** Returns the text of a piece of HTML: without tags, with entities decoded. */
export function htmlToText(html: string): string {
  let text = ''
  let hidden = 0
  tokenizeHtml(html, {
    open(tag) {
      if (tag === 'script' || tag === 'style') hidden++
      else if (/^(?:br|p|div|li)$/.test(tag)) text += ' '
    },
    close(tag) {
      if (hidden > 0 && (tag === 'script' || tag === 'style')) hidden--
    },
    text(piece) {
      if (hidden === 0) text += piece
    },
  })
  return text
}

/** Decodes entities in a text that was escaped twice, and nothing else. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, htmlToText)
}
