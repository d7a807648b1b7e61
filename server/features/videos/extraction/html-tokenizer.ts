import { Tokenizer } from 'htmlparser2'
import { createYield, nextTurn } from '../../../core/yield.ts'

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
const chunkLength = 8192

/**
 * Reads HTML as a stream of tags and text without building a tree, so that the time is linear in any case. Tree builders
 * take minutes for a page of 500,000 nested elements (2.5 MB).
 */
export function tokenizeHtml(html: string, events: HtmlEvents): void {
  const tokenizer = createTokenizer(html, events)
  tokenizer.write(html)
  tokenizer.end()
}

/** Reads XML in the same way. The text of CDATA sections is passed on as it is. */
export function tokenizeXml(xml: string, events: HtmlEvents): void {
  const tokenizer = createTokenizer(xml, events, { xmlMode: true })
  tokenizer.write(xml)
  tokenizer.end()
}

/** Reads HTML with pauses for other work: tokenizing 5 MB takes seconds. */
export async function tokenizeLongHtml(html: string, events: HtmlEvents): Promise<void> {
  const tokenizer = createTokenizer(html, events)
  await nextTurn()
  const letOthersRun = createYield()
  for (let at = 0; at < html.length; at += chunkLength) {
    await letOthersRun()
    tokenizer.write(html.slice(at, at + chunkLength))
  }
  tokenizer.end()
}

function createTokenizer(html: string, events: HtmlEvents, { xmlMode = false } = {}): Tokenizer {
  let tag = ''
  let attributes: Record<string, string> = {}
  let count = 0
  let name = ''
  let value = ''

  const endOpenTag = () => {
    if (tag !== '') events.open(tag, attributes)
    tag = ''
  }
  return new Tokenizer(
    { xmlMode, decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = html.slice(start, end).toLowerCase()
        attributes = {}
        count = 0
      },
      onattribname(start, end) {
        name = html.slice(start, end).toLowerCase()
        value = ''
      },
      onattribdata(start, end) {
        value += html.slice(start, end)
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
      onselfclosingtag: endOpenTag,
      onclosetag(start, end) {
        events.close(html.slice(start, end).toLowerCase())
      },
      ontext(start, end) {
        events.text(html.slice(start, end))
      },
      ontextentity(codepoint) {
        events.text(String.fromCodePoint(codepoint))
      },
      oncdata(start, end, markLength) {
        if (xmlMode) events.text(html.slice(start, end - markLength))
      },
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  )
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
