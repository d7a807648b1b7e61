/** What can be said of a file before it is sent: whether it is one of ours, and what is in it. */
import { isCallError } from '@reelmark/contract/call.ts'
import { errorTexts } from '@reelmark/contract/error-texts.ts'
import { limits } from '@reelmark/contract/limits.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import { byteSize } from './byte-size.ts'

export type ReadFile = { file: TransferFile; problem: null } | { file: null; problem: string }

const notOurs = "This isn't a Reelmark export. Choose a .json file created in Settings → Data."

/** Reads a chosen file. It is looked at from outside only; the server checks every row. */
export async function readTransferFile(chosen: File): Promise<ReadFile> {
  if (chosen.size > limits.importMax) {
    const most = byteSize(limits.importMax)
    return refuse(`This file is too large (${byteSize(chosen.size)}). The limit is ${most}.`)
  }
  let content: unknown
  try {
    content = JSON.parse(await chosen.text())
  } catch {
    return refuse(notOurs)
  }
  if (!isRecord(content) || content.format !== 'reelmark') return refuse(notOurs)
  if (content.version !== 1) {
    return refuse("This file was created by a newer version of Reelmark and can't be imported here.")
  }
  const lists = [content.collections, content.bookmarks, content.likes, content.following, content.comments]
  if (!lists.every(Array.isArray)) return refuse('This file is incomplete. Download it again.')
  return { file: content as TransferFile, problem: null }
}

function refuse(problem: string): ReadFile {
  return { file: null, problem }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** What a file holds, as counts one can recognise one's own by. */
export function contentsOf(file: TransferFile): { label: string; count: number }[] {
  return [
    { label: 'Bookmarks', count: file.bookmarks.length },
    { label: 'Collections', count: file.collections.length },
    { label: 'Likes', count: file.likes.length },
    { label: 'People followed', count: file.following.length },
    { label: 'Comments', count: file.comments.length },
  ]
}

/**
 * The problems of single fields in a refused file, with where they are: `{"bookmarks": {"3": {"title": ["Too long."]}}}`
 * → 'bookmarks, number 4, title: Too long.' Rows are counted from 1 here. Empty where the reply names no field.
 */
export function fieldProblems(error: unknown): string[] {
  if (!isCallError(error) || error.status !== 400 || !isRecord(error.body)) return []
  if ('detail' in error.body) return []
  return Object.entries(error.body).flatMap(([name, value]) => problemsIn(value, [name]))
}

function problemsIn(value: unknown, path: readonly string[]): string[] {
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([name, part]) => problemsIn(part, [...path, name]))
  }
  const place = path
    .filter((name) => name !== 'non_field_errors')
    .map((name) => (/^\d+$/.test(name) ? `number ${Number(name) + 1}` : name.replaceAll('_', ' ')))
    .join(', ')
  return errorTexts(value).map((text) => (place === '' ? text : `${place}: ${text}`))
}
