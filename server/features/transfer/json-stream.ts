/**
 * A JSON object read as it comes in: its values one by one, those of named lists element by element. Never more than one
 * of them is held, so that a file of any length is read in the same memory and without holding anybody up.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'

/** A value of the object, as its bytes. Of a list first `[]`, then its elements; `index` says which. */
export interface JsonEntry {
  name: string
  index: number | null
  bytes: Buffer
}

/** What was sent is no JSON object, or one that nobody would write. */
export class MalformedFile extends Error {
  /** Under this name. */
  readonly where: string | null
  constructor(message: string, where: string | null = null) {
    super(message)
    this.where = where
  }
}

/** Bytes of one value. A collection with a thousand channels and their descriptions has a tenth of that. */
const maxEntryBytes = 4 * 1024 * 1024
const smallChunkBytes = 64 * 1024
/** Ours has fourteen. */
const maxNames = 100
/** As of any body (core/validation.ts). */
const maxDepth = 32

const [quote, backslash, comma, colon, bracket, closingBracket, brace, closingBrace] = [...'"\\,:[]{}'].map(
  (character) => character.charCodeAt(0),
)
const emptyList = Buffer.from('[]')
const whitespace = new Set([0x20, 0x0a, 0x0d, 0x09])

type ParserState = 'start' | 'first key' | 'key' | 'colon' | 'value' | 'after value' | 'end' | ListState
type ListState = 'first element' | 'element' | 'after element'

/** @throws MalformedFile; what is inside a piece is for whoever parses it. */
export async function* readJsonEntries(
  source: AsyncIterable<Buffer>,
  lists: ReadonlySet<string>,
): AsyncGenerator<JsonEntry> {
  const names = new Set<string>()
  let state: ParserState = 'start'
  let name = ''
  let index: number | null = null
  // Of the value that is being gathered.
  let gathering = false
  let before: Buffer[] = []
  let length = 0
  let depth = 0
  let isText = false
  let isEscaped = false

  /** The value is whole: what it was, and what comes next. */
  const whole = (rest: Buffer): JsonEntry | null => {
    checkLength(length + rest.length)
    const bytes = before.length === 0 ? rest : Buffer.concat([...before, rest])
    gathering = false
    before = []
    length = 0
    if (state === 'first key' || state === 'key') {
      name = decodeText(bytes)
      if (names.has(name)) throw new MalformedFile('Duplicate item.', name)
      if (names.size === maxNames) throw new MalformedFile('The file has too many fields.')
      names.add(name)
      state = 'colon'
      return null
    }
    state = state === 'value' ? 'after value' : 'after element'
    return { name, index, bytes }
  }
  const checkLength = (bytes: number) => {
    if (bytes > maxEntryBytes) throw new MalformedFile('This is too long.', name)
  }
  const begin = () => {
    gathering = true
    depth = 0
    isText = false
  }

  for await (const chunk of splitChunks(source)) {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (gathering) {
        if (isText) {
          if (isEscaped) isEscaped = false
          else if (byte === backslash) isEscaped = true
          else if (byte === quote) {
            isText = false
            if (depth === 0) {
              const piece = whole(chunk.subarray(from, at + 1))
              if (piece !== null) yield piece
            }
          }
          continue
        }
        if (byte === quote) isText = true
        else if (byte === brace || byte === bracket) {
          depth += 1
          if (depth > maxDepth) throw new MalformedFile('This is nested too deep.', name)
        } else if (depth > 0 && (byte === closingBrace || byte === closingBracket)) {
          depth -= 1
          if (depth === 0) {
            const piece = whole(chunk.subarray(from, at + 1))
            if (piece !== null) yield piece
          }
        } else if (
          depth === 0 &&
          (byte === comma || byte === closingBrace || byte === closingBracket || whitespace.has(byte))
        ) {
          const piece = whole(chunk.subarray(from, at))
          if (piece !== null) yield piece
          at -= 1
        }
        continue
      }
      if (whitespace.has(byte)) continue
      // The compiler does not see that whole() changes it too.
      switch (state as ParserState) {
        case 'start':
          expect(byte === brace)
          state = 'first key'
          break
        case 'first key':
        case 'key':
          if (byte === closingBrace && state === 'first key') state = 'end'
          else {
            expect(byte === quote)
            begin()
            from = at
            at -= 1
          }
          break
        case 'colon':
          expect(byte === colon)
          state = 'value'
          break
        case 'value':
          index = null
          if (byte === bracket && lists.has(name)) {
            yield { name, index: null, bytes: emptyList }
            index = -1
            state = 'first element'
          } else {
            begin()
            from = at
            at -= 1
          }
          break
        case 'first element':
        case 'element':
          if (byte === closingBracket && state === 'first element') state = 'after value'
          else {
            expect(byte !== comma && byte !== closingBracket)
            index = (index ?? -1) + 1
            begin()
            from = at
            at -= 1
          }
          break
        case 'after element':
          expect(byte === comma || byte === closingBracket)
          state = byte === comma ? 'element' : 'after value'
          break
        case 'after value':
          expect(byte === comma || byte === closingBrace)
          state = byte === comma ? 'key' : 'end'
          break
        case 'end':
          expect(false)
      }
    }
    if (gathering) {
      before.push(chunk.subarray(from))
      length += chunk.length - from
      checkLength(length)
    }
  }
  expect(state === 'end')
}

function expect(isSo: boolean): asserts isSo {
  if (!isSo) throw new MalformedFile("The file isn't a JSON object.")
}

function decodeText(bytes: Buffer): string {
  try {
    return JSON.parse(bytes.toString()) as string
  } catch {
    throw new MalformedFile("The file isn't a JSON object.")
  }
}

/** In chunks as a socket gives them, whoever sends them; without the mark that some editors begin a file with. */
async function* splitChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of source) {
    const hasMark = isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf
    isFirst = false
    for (let at = hasMark ? 3 : 0; at < chunk.length; at += smallChunkBytes) {
      yield chunk.subarray(at, at + smallChunkBytes)
      if (chunk.length > smallChunkBytes) await nextTurn()
    }
  }
}
