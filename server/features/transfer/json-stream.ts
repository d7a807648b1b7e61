/**
 * Reads a JSON object as a stream: its values one by one, those of named lists element by element. At most one value is in
 * memory, and the reader pauses regularly for other work, so that files of any length can be read.
 */

import { setImmediate as pause } from 'node:timers/promises'

/** A value of the object, as its bytes. For a list first `[]` with `index` null, then each element with its index. */
export interface JsonEntry {
  name: string
  index: number | null
  bytes: Buffer
}

/** The input is not a JSON object, or one that exceeds the limits. */
export class MalformedFile extends Error {
  /** The name whose value is wrong; null if there is none. */
  readonly where: string | null
  constructor(message: string, where: string | null = null) {
    super(message)
    this.where = where
  }
}

/** The limit for one value. A collection with a thousand channels and their descriptions has a tenth of that. */
const maxEntryBytes = 4 * 1024 * 1024
const smallChunkBytes = 64 * 1024
/** The maximum number of names; our files have fourteen. */
const maxNames = 100
/** The maximum nesting depth, as for any body (server/core/http/validation.ts). */
const maxDepth = 32

const [quote, backslash, comma, colon, bracket, closingBracket, brace, closingBrace] = [...'"\\,:[]{}'].map(
  (character) => character.charCodeAt(0),
)
const emptyList = Buffer.from('[]')
const whitespace = new Set([0x20, 0x0a, 0x0d, 0x09])

type ParserState = 'start' | 'first key' | 'key' | 'colon' | 'value' | 'after value' | 'end' | ListState
type ListState = 'first element' | 'element' | 'after element'

/** Yields the values of an object. The bytes of a value are not validated. @throws MalformedFile */
export async function* readJsonEntries(
  source: AsyncIterable<Buffer>,
  lists: ReadonlySet<string>,
): AsyncGenerator<JsonEntry> {
  const names = new Set<string>()
  let state: ParserState = 'start'
  let name = ''
  let index: number | null = null
  // The state of the value that is being collected.
  let isCollecting = false
  let before: Buffer[] = []
  let length = 0
  let depth = 0
  let isString = false
  let isEscaped = false

  /** Ends the current value. Returns it, or null if it was a name; sets what is expected next. */
  const endValue = (rest: Buffer): JsonEntry | null => {
    checkLength(length + rest.length)
    const bytes = before.length === 0 ? rest : Buffer.concat([...before, rest])
    isCollecting = false
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
  const beginValue = () => {
    isCollecting = true
    depth = 0
    isString = false
  }

  for await (const chunk of splitChunks(source)) {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (isCollecting) {
        if (isString) {
          if (isEscaped) isEscaped = false
          else if (byte === backslash) isEscaped = true
          else if (byte === quote) {
            isString = false
            if (depth === 0) {
              const entry = endValue(chunk.subarray(from, at + 1))
              if (entry !== null) yield entry
            }
          }
          continue
        }
        if (byte === quote) isString = true
        else if (byte === brace || byte === bracket) {
          depth += 1
          if (depth > maxDepth) throw new MalformedFile('This is nested too deep.', name)
        } else if (depth > 0 && (byte === closingBrace || byte === closingBracket)) {
          depth -= 1
          if (depth === 0) {
            const entry = endValue(chunk.subarray(from, at + 1))
            if (entry !== null) yield entry
          }
        } else if (
          depth === 0 &&
          (byte === comma || byte === closingBrace || byte === closingBracket || whitespace.has(byte))
        ) {
          const entry = endValue(chunk.subarray(from, at))
          if (entry !== null) yield entry
          at -= 1
        }
        continue
      }
      if (whitespace.has(byte)) continue
      // The cast is needed because the compiler does not see that endValue() changes the state.
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
            beginValue()
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
            beginValue()
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
            beginValue()
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
    if (isCollecting) {
      before.push(chunk.subarray(from))
      length += chunk.length - from
      checkLength(length)
    }
  }
  expect(state === 'end')
}

function expect(isValid: boolean): asserts isValid {
  if (!isValid) throw new MalformedFile("The file isn't a JSON object.")
}

function decodeText(bytes: Buffer): string {
  try {
    return JSON.parse(bytes.toString()) as string
  } catch {
    throw new MalformedFile("The file isn't a JSON object.")
  }
}

/** Splits the input into small chunks, and drops a byte order mark at its beginning. */
async function* splitChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of source) {
    const hasMark = isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf
    isFirst = false
    for (let at = hasMark ? 3 : 0; at < chunk.length; at += smallChunkBytes) {
      yield chunk.subarray(at, at + smallChunkBytes)
      if (chunk.length > smallChunkBytes) await pause()
    }
  }
}
