/** Checks a file before it is sent and counts its contents. */
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import { errorBody, isApiError } from '../../shared/errors/api-error.ts'
import { formatBytes } from '../../ui/format-bytes.ts'

/** A Reelmark export with its content, a file of another tool as it is, or why neither can be imported. */
export type ParsedTransferFile =
  | { file: TransferFile | File; problem: null }
  | { file: null; problem: string }

/** Reads a chosen file. Only the outer structure of our own is checked; the server recognises others and checks every row. */
export async function readTransferFile(chosenFile: File): Promise<ParsedTransferFile> {
  if (chosenFile.size > limits.importMax) {
    const maxSize = formatBytes(limits.importMax)
    return fileRefused(`This file is too large (${formatBytes(chosenFile.size)}). The limit is ${maxSize}.`)
  }
  const content = await readJson(chosenFile)
  if (!isRecord(content) || content.format !== 'reelmark') return { file: chosenFile, problem: null }
  if (content.version !== 1) {
    return fileRefused("This file was created by a newer version of Reelmark and can't be imported here.")
  }
  const lists = [content.collections, content.bookmarks, content.likes, content.following, content.comments]
  if (!lists.every(Array.isArray)) return fileRefused('This file is incomplete. Download it again.')
  return { file: content as TransferFile, problem: null }
}

/** Returns the content of a file that holds a JSON object; null for any other. */
async function readJson(file: File): Promise<unknown> {
  const start = await file.slice(0, 100).text()
  if (!start.trimStart().startsWith('{')) return null
  try {
    return JSON.parse(await file.text())
  } catch {
    return null
  }
}

function fileRefused(problem: string): ParsedTransferFile {
  return { file: null, problem }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Returns counts of a file's contents, by which users can recognise it. */
export function transferFileContents(file: TransferFile): { label: string; count: number }[] {
  return [
    { label: 'Bookmarks', count: file.bookmarks.length },
    { label: 'Collections', count: file.collections.length },
    { label: 'Likes', count: file.likes.length },
    { label: 'People followed', count: file.following.length },
    { label: 'Comments', count: file.comments.length },
  ]
}

/**
 * Returns the errors of single fields in a refused file with their location: `{"bookmarks": {"3": {"title": ["Too
 * long."]}}}` → 'bookmarks, number 4, title: Too long.' Rows are counted from 1 here. Returns an empty list if the
 * response names no field.
 */
export function importFieldErrors(error: unknown): string[] {
  if (!isApiError(error, 'invalid')) return []
  const { code: _, ...fields } = errorBody(error)
  return Object.entries(fields).flatMap(([name, value]) => collectErrors(value, [name]))
}

function collectErrors(value: unknown, path: readonly string[]): string[] {
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([name, part]) => collectErrors(part, [...path, name]))
  }
  const location = path
    .filter((name) => name !== 'non_field_errors')
    .map((name) => (/^\d+$/.test(name) ? `number ${Number(name) + 1}` : name.replaceAll('_', ' ')))
    .join(', ')
  return errorTexts(value).map((text) => (location === '' ? text : `${location}: ${text}`))
}
