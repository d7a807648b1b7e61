/** A line of tags with commas between, as it is typed. */
import { splitTags } from '@reelmark/contract/bookmarks.ts'

/** The tag that the caret stands in: where it begins and ends in the line, and its text. */
export function tagAtCaret(line: string, caret: number): { start: number; end: number; text: string } {
  const start = line.lastIndexOf(',', caret - 1) + 1
  const comma = line.indexOf(',', caret)
  const end = comma === -1 ? line.length : comma
  return { start, end, text: line.slice(start, end).trim() }
}

/** The line with `name` in the place of the tag that the caret stands in, ready for the next; and the caret after it. */
export function replaceTagAtCaret(
  line: string,
  caret: number,
  name: string,
): { line: string; caret: number } {
  const { start, end } = tagAtCaret(line, caret)
  const before = `${line.slice(0, start).trimEnd()}${start === 0 ? '' : ' '}${name}, `
  return { line: before + line.slice(end + 1).trimStart(), caret: before.length }
}

/** The line with one tag more. */
export function addTag(line: string, name: string): string {
  return [...splitTags(line), name].join(', ')
}

/** Of `names`, those that are not in the line. */
export function missingTags(line: string, names: readonly string[]): string[] {
  const existingNames = new Set(splitTags(line).map((tag) => tag.toLowerCase()))
  return names.filter((name) => !existingNames.has(name.toLowerCase()))
}
