/** Reads a large JSON object value by value, so that memory does not grow with the file. */
import { type ParsedTokenInfo, Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { createYield } from '../../core/yield.ts'

/** One value of the object, or one element of a list. After its elements, a list is an entry of its own with the value []. */
export interface JsonEntry {
  name: string
  /** Position in the list, from 0; null for a value. */
  index: number | null
  value: unknown
  /** Length in the file, in bytes; approximate. */
  size: number
}

/** Thrown if the file is not a JSON object or exceeds a limit. */
export class MalformedFile extends Error {
  /** Name of the value with the problem; null if the whole file has it. */
  readonly field: string | null
  constructor(message: string, field: string | null = null) {
    super(message)
    this.field = field
  }
}

/** Ten times the size of a collection with a thousand channels and their descriptions. */
const maxEntryBytes = 4 * 1024 * 1024
/** The values, names and punctuation of an entry; a collection with 10,000 channels has 100,000. */
const maxEntryTokens = 120_000
/** Exported files have 25. */
const maxNames = 100
/** The same as for request bodies (core/http/validation.ts). */
const maxDepth = 32
/** How many bytes are parsed without a pause: takes up to seven milliseconds. */
const chunkBytes = 4096

/**
 * Yields the values of the object, those of `lists` element by element.
 * @throws MalformedFile
 */
export async function* readJsonEntries(
  source: AsyncIterable<Buffer>,
  lists: ReadonlySet<string>,
): AsyncGenerator<JsonEntry> {
  const parser = createEntryParser(lists)
  let bytesSinceEntry = 0
  for await (const chunk of splitChunks(source)) {
    const entries = parser.write(chunk)
    yield* entries
    bytesSinceEntry = entries.length > 0 ? 0 : bytesSinceEntry + chunk.length
    if (bytesSinceEntry > maxEntryBytes) throw new MalformedFile('This is too long.', parser.name())
  }
  parser.end()
}

/** Returns a parser whose `write` returns the entries that the chunk completes. */
function createEntryParser(lists: ReadonlySet<string>) {
  // With a buffer, because it would otherwise join long texts from millions of pieces.
  const tokenizer = new Tokenizer({ stringBufferSize: 16 * 1024 })
  const values = new TokenParser()
  const names = new Set<string>()
  let name: string | null = null
  let depth = 0
  let previous: TokenType | null = null
  let offset = 0
  let entryOffset = 0
  let entryTokens = 0
  let entries: JsonEntry[] = []

  tokenizer.onToken = (token) => {
    checkToken(token)
    offset = token.offset
    previous = token.token
    values.write(token)
  }
  values.onValue = ({ value, key, parent, stack }) => {
    const isElement = stack.length === 2 && Array.isArray(parent) && lists.has(String(stack[1]?.key))
    if (stack.length !== 1 && !isElement) return
    // The parser would keep the elements until the list ends.
    if (isElement) parent.length = 0
    entries.push({
      name: name ?? '',
      index: isElement ? Number(key) : null,
      value,
      size: offset - entryOffset,
    })
    entryOffset = offset
    entryTokens = 0
  }

  function checkToken({ token, value }: ParsedTokenInfo): void {
    if (previous === null && token !== TokenType.LEFT_BRACE) throw notAnObject()
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1
    entryTokens += 1
    if (entryTokens > maxEntryTokens) throw new MalformedFile('This is too long.', name)
    if (depth > maxDepth + 1) throw new MalformedFile('This is nested too deeply.', name)
    const isName = depth === 1 && token === TokenType.STRING && previous !== TokenType.COLON
    if (!isName) return
    name = String(value)
    if (names.has(name)) throw new MalformedFile('Duplicate item.', name)
    if (names.size === maxNames) throw new MalformedFile('The file has too many fields.')
    names.add(name)
  }
  function run(step: () => void): void {
    try {
      step()
    } catch (error) {
      if (error instanceof MalformedFile) throw error
      throw previous === null ? notAnObject() : notJson(`near byte ${offset}`)
    }
  }
  return {
    name: () => name,
    write(chunk: Buffer): JsonEntry[] {
      entries = []
      run(() => tokenizer.write(chunk))
      return entries
    },
    end(): void {
      run(() => tokenizer.end())
      if (previous === null) throw notAnObject()
      if (!values.isEnded) throw notJson('at its end')
    },
  }
}

function notAnObject(): MalformedFile {
  return new MalformedFile("The file isn't a JSON object.")
}

function notJson(position: string): MalformedFile {
  return new MalformedFile(`The file isn't valid JSON ${position}.`)
}

async function* splitChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const letOthersRun = createYield()
  for await (const chunk of source) {
    for (let start = 0; start < chunk.length; start += chunkBytes) {
      await letOthersRun()
      yield chunk.subarray(start, start + chunkBytes)
    }
  }
}
