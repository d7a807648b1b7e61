/** Reads items from anywhere in a JSON file, so that memory does not grow with the file. */
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { createYield } from '../../../core/yield.ts'
import { MalformedFile } from '../json-stream.ts'
import { decodeText } from './decode-text.ts'
import { maxJsonDepth, maxJsonItemBytes, maxJsonTokens } from './read-limits.ts'
import type { SourceFile } from './uploaded-file.ts'

export interface JsonItem {
  /** Names and positions that lead to it, for example ['collections', 3, 'links', 0]; empty for a whole document. */
  path: readonly (string | number)[]
  value: unknown
  /** Position of its document in the file, from 0. JSON Lines have many, other files one. */
  document: number
}

/** How many bytes are parsed without a pause. */
const chunkBytes = 4096

/**
 * Yields the values at the given paths, each as soon as it is complete, and drops everything else. Elements of lists are
 * yielded before the value that contains the list, which does not contain them any more.
 * @param paths as `$.collections.*.links.*`; `*` stands for any position or name
 * @throws MalformedFile
 */
export async function* readJsonItems(
  file: SourceFile,
  paths: readonly string[],
  { isLines = false } = {},
): AsyncGenerator<JsonItem> {
  const parser = createItemParser(paths, isLines)
  const letOthersRun = createYield()
  for await (const text of decodeText(file.open())) {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      await letOthersRun()
      yield* parser.write(bytes.subarray(at, at + chunkBytes))
    }
  }
  parser.end()
}

function createItemParser(paths: readonly string[], isLines: boolean) {
  const separator = isLines ? { separator: '' } : {}
  // With a buffer, because it would otherwise join long texts from millions of pieces.
  const tokenizer = new Tokenizer({ stringBufferSize: 16 * 1024, ...separator })
  const values = new TokenParser({ paths: [...paths], keepStack: false, ...separator })
  /** The containers that are being read. The library has no public way to find out whether it retains the current value. */
  const containers = Reflect.get(values, 'stack') as readonly { emit: boolean }[]
  let items: JsonItem[] = []
  let document = 0
  let depth = 0
  let tokens = 0
  let itemBytes = 0
  let tokenBytes = 0
  let isStarted = false

  tokenizer.onToken = (info) => {
    isStarted = true
    tokenBytes = 0
    if (info.token === TokenType.LEFT_BRACE || info.token === TokenType.LEFT_BRACKET) depth += 1
    if (info.token === TokenType.RIGHT_BRACE || info.token === TokenType.RIGHT_BRACKET) depth -= 1
    if (depth > maxJsonDepth) throw new MalformedFile('The file is nested too deeply.')
    if (containers.some(({ emit }) => emit)) tokens += 1
    else itemBytes = tokens = 0
    if (tokens > maxJsonTokens) throw tooLong()
    values.write(info)
    if (depth === 0) document += 1
  }
  values.onValue = ({ value, key, parent, stack }) => {
    const path = stack.length === 0 ? [] : [...stack.slice(1).map((entry) => entry.key), key]
    items.push({ path: path as (string | number)[], value, document })
    if (!Array.isArray(parent)) return
    parent.length = 0
    itemBytes = tokens = 0
  }
  const run = (step: () => void): void => {
    try {
      step()
    } catch (error) {
      throw error instanceof MalformedFile ? error : notJson()
    }
  }
  return {
    write(bytes: Buffer): JsonItem[] {
      items = []
      run(() => tokenizer.write(bytes))
      itemBytes += bytes.length
      tokenBytes += bytes.length
      if (itemBytes > maxJsonItemBytes && containers.some(({ emit }) => emit)) throw tooLong()
      if (tokenBytes > maxJsonItemBytes) throw tooLong()
      return items
    },
    end(): void {
      run(() => tokenizer.end())
      if (!isStarted || depth !== 0) throw notJson()
    },
  }
}

function tooLong(): MalformedFile {
  return new MalformedFile('An item of the file is too long.')
}

function notJson(): MalformedFile {
  return new MalformedFile("The file isn't valid JSON, or it is incomplete.")
}

/** Returns the value if it is an object, or an empty object. */
export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

/** Returns the value if it is a list, or an empty list. */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the value if it is a text, or an empty text. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
